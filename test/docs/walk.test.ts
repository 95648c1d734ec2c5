import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-command.js';

it('covers every shell block of README.md and docs in the walk, and prepares no other one', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/walk.js', '--list'], { cwd: root, encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  const lines = stdout.trimEnd().split('\n');
  const pages = readdirSync(path.join(root, 'docs')).filter(name => name.endsWith('.md'));
  const fences = ['README.md', ...pages.map(name => `docs/${name}`)].flatMap(page =>
    readFileSync(path.join(root, page), 'utf8')
      .split('\n')
      .flatMap((line, i) => (/^\s*```(sh|bash|shell|zsh|console)\b/.test(line) ? [`${page}:${i + 2}`] : [])),
  );
  expect(lines.map(line => line.replace(/ skipped: .*/, '')).sort()).toEqual(fences.sort());
  expect(lines.filter(line => line.includes(' skipped: '))).toEqual([
    ...Array(2).fill(expect.stringMatching(/^README\.md:\d+ skipped: they are for a clone: /)),
  ]);
});
