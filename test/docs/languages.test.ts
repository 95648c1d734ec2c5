import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../../src/suites/process/start-process.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Page {
  readonly language: string;
  readonly probe: string;
  /** Printed by a passing run. */
  readonly passed: RegExp;
}

const pages: readonly Page[] = [
  { language: 'go', probe: 'go version', passed: /^ok\s+example\.com\/webhook/m },
  { language: 'python', probe: 'python3 -m pytest --version', passed: /^(?:2 passed|1 passed, 1 skipped)/m },
];

it.for(pages)('the webhook in docs/$language.md refuses a pod, and its tests pass', { timeout: 240_000 }, async (page, context) => {
  const { language, probe, passed } = page;
  const text = readFileSync(path.join(root, `docs/${language}.md`), 'utf8');
  const named = new RegExp(`\`([\\w./]+)\`(?:;[^\\n]*)?:\\n\\n\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g');
  const files = Object.fromEntries([...text.matchAll(named)].map(([, name = '', code = '']) => [name, code]));
  const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const [, refusal = ''] = /```text\n([\s\S]*?)```/.exec(text) ?? [];
  expect([Object.keys(files).length, commands.length]).toEqual([2, 2]);
  expect(refusal).toMatch(/denied the request: label team is missing\nexit code 1\n$/);
  if (spawnSync('sh', ['-c', probe]).status !== 0) return context.skip(`${probe} does not work here`);
  const program = `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'bin/run.js')}' "$@"\n`;
  const { folder, remove } = temporaryFolder({ ...files, 'bin/webhook-cli': program });
  chmodSync(path.join(folder, 'bin/webhook-cli'), 0o755);
  const env = { ...process.env, PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}` };
  const stop = `trap 'kill "$!" 2> /dev/null || true' EXIT\n`;
  const script = `${stop}${commands.join('')}`.replaceAll('8443', String(await freePort()));
  const { stdout, stderr, status } = spawnSync('sh', ['-e', '-c', script], { cwd: folder, env, encoding: 'utf8', timeout: 230_000 });
  remove();
  expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: expect.stringMatching(passed) });
  expect(stdout).toContain(refusal);
});
