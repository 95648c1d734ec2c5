import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { ensureFolder } from '../../files/ensure-folder.js';
import { writeWhole } from '../../files/replace-file.js';
import { pendingEnding } from '../snapshot-name.js';
import { type SnapshotComparison, textOfSnapshot } from './compare.js';
import { isOwnSnapshot, refuseLinkedFolder, removeSnapshot } from './own-files.js';

/** `check`: nothing is written. `review`: differences are written as a pending snapshot. `update`: the snapshot is replaced. */
export type SnapshotMode = 'check' | 'review' | 'update';

/**
 * Updates a snapshot's files after a comparison; returns whether the snapshot itself was written. Files that are up to date are not
 * touched. `accept` is false for a case that fails for another reason, whose result should not be kept. Rejects with the system's error.
 */
export async function settleSnapshot(
  file: string,
  { state, text }: SnapshotComparison,
  { mode, accept, hasPending }: { readonly mode: SnapshotMode; readonly accept: boolean; readonly hasPending: (file: string) => boolean },
): Promise<boolean> {
  if (mode === 'check') return false;
  const pending = file + pendingEnding;
  if (state === 'matched') {
    if (hasPending(file)) await removeSnapshot(pending);
    return false;
  }
  await refuseLinkedFolder(path.dirname(file));
  if (mode === 'update' && accept) {
    await writeInFolder(file, text);
    await removeSnapshot(pending);
    return true;
  }
  if (!isOwnSnapshot(pending) || textOfSnapshot(pending) !== text) await writeInFolder(pending, text);
  return false;
}

/** Creates the folder, too; on a full disk, an empty one does not stay. */
async function writeInFolder(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  try {
    await ensureFolder(folder);
    await writeWhole(file, text);
  } catch (error) {
    // Other failures are those of one file, and the folder may be about to get another.
    const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
    if (isFull) await rmdir(folder).catch(() => {});
    throw error;
  }
}
