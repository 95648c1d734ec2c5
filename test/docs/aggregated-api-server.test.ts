import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../../src/suites/process/start-process.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const page = readFileSync(path.join(root, 'docs/apiserver.md'), 'utf8');

it('proxies to the API server of the page, as the page shows', { timeout: 60_000 }, async () => {
  const section = page.slice(page.indexOf('## Aggregated API servers'));
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
  const [, printed = ''] = /```text\n([\s\S]*?)```/.exec(section) ?? [];
  const { folder, remove } = temporaryFolder({
    'bin/webhook-cli': `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'bin/run.js')}' "$@"\n`,
    'bin/kubectl': readFileSync(path.join(import.meta.dirname, 'kubectl-stand-in.mjs'), 'utf8'),
    'bin/package.json': '{"type":"module"}',
  });
  for (const name of ['webhook-cli', 'kubectl']) chmodSync(path.join(folder, 'bin', name), 0o755);
  const script = `PATH="$PWD/bin:$PATH"; set -e\n${block.replaceAll('8443', String(await freePort()))}`;
  const { status, stdout } = spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8', timeout: 55_000 });
  remove();
  expect(status).toBe(0);
  expect(stdout.slice(stdout.indexOf('apiservice.'))).toBe(printed.trimEnd());
});
