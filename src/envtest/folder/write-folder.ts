import { chmod, lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../../client/cli-error.js';
import { ensureFolder } from '../../files/ensure-folder.js';
import { strangerOf } from '../../files/only-own.js';
import { writeWhole } from '../../files/replace-file.js';
import { systemReason } from '../../files/system-reason.js';

/**
 * Creates a folder, and checks that only this user can write to it: executables are kept there. Throws CliError. `uid` is undefined on Windows, where
 * temporary folders are the user's own.
 */
export async function createOwnFolder(folder: string, uid: number | undefined): Promise<void> {
  try {
    await ensureFolder(folder, 0o700);
    if (strangerOf(await lstat(folder), uid, 0o022) === undefined) return;
  } catch (error) {
    throw new CliError('write-failed', `cannot create the folder: ${systemReason(error)}`, { location: { file: folder }, cause: error });
  }
  throw new CliError('write-failed', 'the folder for executables is writable for other users', {
    location: { file: folder },
    suggestions: ['remove it', 'set XDG_CACHE_HOME or HOME'],
  });
}

/** Writes executables to a folder. Files that have their contents already stay as they are, since they may be running. Throws CliError. */
export async function writeFolder(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  try {
    await ensureFolder(folder, 0o700);
    for (const [name, text] of files) {
      const file = path.join(folder, name);
      if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
      await writeWhole(file, text);
      await chmod(file, 0o755);
    }
  } catch (error) {
    throw new CliError('write-failed', `cannot write the executables: ${systemReason(error)}`, {
      location: { file: folder },
      cause: error,
    });
  }
}
