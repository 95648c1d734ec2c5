import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../../files/replace-file.js';
import { suiteStem } from '../find-suites.js';
import { listSnapshotNames, snapshotFolder } from '../snapshot-folder.js';
import { pendingEnding, suitePrefix } from '../snapshot-name.js';
import { snapshotDiff, textOfSnapshot } from './compare.js';
import { firstDifference, type SnapshotDifference } from './first-difference.js';
import { refuseLinkedFolder, removeSnapshot } from './own-files.js';
import { readSnapshot, type UnusableSnapshot } from './snapshot-text.js';

/** A pending snapshot. */
export interface PendingSnapshot {
  /** The snapshot it would replace, relative to the working directory if the path was given so. */
  readonly file: string;
  /** Text of that snapshot; undefined if there is none yet. */
  readonly stored: string | undefined;
  readonly state: 'new' | 'mismatched';
  /** The hunks from the snapshot to the pending one. */
  readonly diff: string;
  /** Undefined if there is no snapshot yet. */
  readonly difference: SnapshotDifference | undefined;
  readonly text: string;
}

/** One of the two files is invalid. */
export interface UnusablePending extends UnusableSnapshot {
  readonly file: string;
}

/**
 * The files of pending snapshots at some paths, unique and sorted: of a suite file, of all folders below a folder, or one such file itself.
 * Rejects with the system's error for a missing path.
 */
export async function findPendingFiles(paths: readonly string[], cwd: string): Promise<string[]> {
  const found: string[] = [];
  for (const given of paths) found.push(...(await findPendingFilesAt(given, cwd)));
  return [...new Set(found)].sort();
}

async function findPendingFilesAt(given: string, cwd: string): Promise<string[]> {
  if (!statSync(path.resolve(cwd, given)).isDirectory()) {
    if (given.endsWith(pendingEnding)) return [given];
    const own = await listPending(path.join(path.dirname(given), snapshotFolder), cwd);
    return own.filter(file => path.basename(file).startsWith(suitePrefix(suiteStem(given))));
  }
  const folders = snapshotFoldersBelow(given, cwd);
  return (await Promise.all(folders.map(folder => listPending(folder, cwd)))).flat();
}

/** Every folder of snapshots in or below a folder. */
function snapshotFoldersBelow(folder: string, cwd: string): string[] {
  if (path.basename(path.resolve(cwd, folder)) === snapshotFolder) return [folder];
  return readdirSync(path.resolve(cwd, folder), { withFileTypes: true }).flatMap(entry => {
    if (!entry.isDirectory() || entry.name === 'node_modules' || entry.name.startsWith('.')) return [];
    return snapshotFoldersBelow(path.join(folder, entry.name), cwd);
  });
}

async function listPending(folder: string, cwd: string): Promise<string[]> {
  const names = await listSnapshotNames(path.resolve(cwd, folder));
  return names.filter(name => name.endsWith(pendingEnding)).map(name => path.join(folder, name));
}

/** Reads a pending snapshot and the one it would replace. Rejects with the system's error. */
export function readPending(pending: string, cwd: string): PendingSnapshot | UnusablePending {
  const file = pending.slice(0, -pendingEnding.length);
  const text = textOfSnapshot(path.resolve(cwd, pending)) ?? '';
  const stored = textOfSnapshot(path.resolve(cwd, file));
  const produced = readSnapshot(text);
  if ('message' in produced) return { ...produced, file: pending };
  if (stored === undefined) return { file, stored, state: 'new', text, diff: snapshotDiff('', text), difference: undefined };
  const read = readSnapshot(stored);
  if ('message' in read) return { ...read, file };
  const diff = snapshotDiff(stored.replaceAll('\r\n', '\n'), text);
  return { file, stored, state: 'mismatched', text, diff, difference: firstDifference(read.document, produced.document) };
}

/** Replaces the snapshot with the pending one. Rejects with the system's error. */
export async function acceptPending({ file, text }: Pick<PendingSnapshot, 'file' | 'text'>, cwd: string): Promise<void> {
  await refuseLinkedFolder(path.dirname(path.resolve(cwd, file)));
  await writeWhole(path.resolve(cwd, file), text);
  await rejectPending({ file }, cwd);
}

/** Makes an accepted or rejected snapshot pending again. Rejects with the system's error. */
export async function restorePending({ file, stored, text }: PendingSnapshot, cwd: string): Promise<void> {
  await refuseLinkedFolder(path.dirname(path.resolve(cwd, file)));
  await writeWhole(path.resolve(cwd, file + pendingEnding), text);
  if (stored === undefined) await removeSnapshot(path.resolve(cwd, file));
  else if (textOfSnapshot(path.resolve(cwd, file)) !== stored) await writeWhole(path.resolve(cwd, file), stored);
}

/** Discards the pending snapshot. Rejects with the system's error. */
export async function rejectPending({ file }: Pick<PendingSnapshot, 'file'>, cwd: string): Promise<void> {
  await removeSnapshot(path.resolve(cwd, file + pendingEnding));
}
