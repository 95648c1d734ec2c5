import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { damages } from './damage.js';
import { runWithDamagedCode } from './damaged-code.js';

it('prints the same with code caches after every kind of damage', { timeout: 60_000 }, async () => {
  const { folder, remove } = temporaryFolder();
  try {
    const run = { folder: path.join(folder, 'cache'), count: Object.keys(damages).length, seed: 1, cwd: folder };
    const { files, wrong } = await runWithDamagedCode(path.join(root, 'bin/run.js'), ['request', '--help'], run);
    expect([files.length > 1, wrong]).toEqual([true, []]);
  } finally {
    remove();
  }
});
