import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import CertsCreate from '../../commands/certs/create.js';
import { withFullDisk } from '../support/full-disk.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('certs create on a full disk', () => {
  it('names what cannot be written, leaves nothing of a new folder, and keeps the files of an old one', async () => {
    const { folder, remove } = temporaryFolder();
    const create = (...argv: readonly string[]): Promise<CommandResult> =>
      runCommand(CertsCreate, ['--dns', 'localhost', '--out-dir', 'certs', ...argv], { cwd: folder });
    const certs = path.join(folder, 'certs');
    const first = await withFullDisk(folder, () => create());
    expect([first.exitCode, first.stderr, readdirSync(folder)]).toEqual([6, `error: ${certs}: no space left on device\n`, []]);
    await create();
    const before = readFileSync(path.join(certs, 'ca.crt'), 'utf8');
    const second = await withFullDisk(folder, () => create('--rotate-ca'));
    expect([second.exitCode, second.stderr]).toEqual([6, `error: ${path.join(certs, 'ca.crt')}: no space left on device\n`]);
    expect(readFileSync(path.join(certs, 'ca.crt'), 'utf8')).toBe(before);
    remove();
  });
});
