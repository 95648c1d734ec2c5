import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import Apiserver from '../../commands/apiserver.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('a temporary folder that cannot be created is an error with its name and a way out', async () => {
  const { folder, remove } = temporaryFolder();
  const missing = path.join(folder, 'missing');
  vi.stubEnv('TMPDIR', missing);
  vi.stubEnv('TEMP', missing);
  const { exitCode, stderr } = await runCommand(Apiserver, ['--', 'true'], { cwd: folder });
  remove();
  expect([exitCode, stderr]).toEqual([
    6,
    `error: ${missing}: cannot create a temporary folder: no such file or directory; set TMPDIR to a folder that you can write to\n`,
  ]);
});
