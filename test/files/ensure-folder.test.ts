import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ensureFolder, ensureFolderNow } from '../../src/files/ensure-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('ensureFolder', () => {
  it('creates missing parents, also when several callers do so at once', async () => {
    const { folder, remove } = temporaryFolder({});
    const wanted = path.join(folder, 'a/b/c');
    await Promise.all([ensureFolder(wanted), ensureFolder(wanted), ensureFolder(path.join(wanted, 'd'))]);
    expect(statSync(path.join(wanted, 'd')).isDirectory()).toBe(true);
    remove();
  });

  it('fails where a parent is a file', async () => {
    const { folder, remove } = temporaryFolder({});
    writeFileSync(path.join(folder, 'file'), '');
    await expect(ensureFolder(path.join(folder, 'file/a'))).rejects.toThrow('EEXIST');
    remove();
  });

  it.runIf(process.platform === 'linux')('fails in /proc, where a recursive mkdir of Node does not end', async () => {
    await expect(ensureFolder('/proc/webhook-cli/reports')).rejects.toThrow('ENOENT');
    expect(() => ensureFolderNow('/proc/webhook-cli/reports')).toThrow('ENOENT');
  });
});
