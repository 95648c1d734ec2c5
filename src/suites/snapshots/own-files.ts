import { lstatSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { readRegularFile } from '../../files/read-file.js';
import { firstLineStart } from './snapshot-text.js';

/** Removes a snapshot. Leaves links, and files without the first line of snapshots: somebody else wrote them. Rejects with the system's error. */
export async function removeSnapshot(file: string): Promise<void> {
  if (isOwnSnapshot(file)) await rm(file, { force: true });
}

/** Reports whether this is a snapshot, in a folder that is not a link. */
export function isOwnSnapshot(file: string): boolean {
  if (lstatSync(path.dirname(file), { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  return readRegularFile(file).toString('latin1').startsWith(firstLineStart);
}

/** Rejects if a folder is a link, which a repository may lead anywhere. */
export async function refuseLinkedFolder(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isSymbolicLink() === true) {
    const reason = `the folder ${path.basename(folder)} is a link, which is not followed; replace it by a folder`;
    throw Object.assign(new Error(reason), { code: 'ELOOP_FOLDER' });
  }
}
