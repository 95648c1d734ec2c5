import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

describe('README.md', () => {
  it('shows what its commands print, and all commands there are', { timeout: 30_000 }, () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['bin/docs.js', '--check'], { cwd: root, encoding: 'utf8' });
    expect({ stdout, stderr, status }).toEqual({ stdout: 'README.md is up to date\n', stderr: '', status: 0 });
  });

  it('has two commands on its first screen, each with its own set-up', () => {
    const firstScreen = readme.split('\n').slice(0, 40);
    expect(firstScreen.filter(line => line.startsWith('$ '))).toEqual([
      '$ npm ci --no-audit --no-fund && node bin/run.js review --demo -f fixtures/manifests',
      '$ npm ci --no-audit --no-fund && npm test',
    ]);
  });

  it('links to files that are there', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) => target ?? '').filter(target => !target.includes(':'));
    expect(links.map(target => readFileSync(path.join(root, target), 'utf8').length > 0)).toEqual(links.map(() => true));
  });
});
