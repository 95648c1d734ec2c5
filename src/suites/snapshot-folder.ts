import { readdirSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { removeLeftOvers } from '../files/replace-file.js';
import { memoizeStrings } from '../kubernetes/memoize.js';
import { pendingEnding, snapshotEnding, suitePrefix } from './snapshot-name.js';

/** Folder of the snapshots of a folder's suites and manifests. */
export const snapshotFolder = '__snapshots__';

/** The suites of a folder whose snapshots are known: all, or these suite files. */
export type SnapshotScope = 'all' | readonly string[];

/** Names of the snapshots in a folder, including pending ones, sorted; empty if the folder does not exist. */
export async function listSnapshotNames(folder: string): Promise<string[]> {
  const names = await readNames(folder);
  return names.filter(name => name.endsWith(snapshotEnding) || name.endsWith(snapshotEnding + pendingEnding)).sort();
}

/**
 * Returns whether a snapshot has a pending one. The names of a folder are read once, when the first of its snapshots is asked for: thousands of cases ask, and a run
 * writes each file once.
 */
export function pendingAtStart(): (file: string) => boolean {
  const pendingIn = memoizeStrings(100, folder => new Set(namesNow(folder).filter(name => name.endsWith(pendingEnding))));
  return file => pendingIn(path.dirname(file)).has(path.basename(file) + pendingEnding);
}

/** A folder that cannot be read has no pending snapshots. */
function namesNow(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Files of a folder that belong to no case, including pending ones. `owned` are the snapshots of all cases, run or not. */
export async function listObsoleteNames(folder: string, owned: ReadonlySet<string>, scope: SnapshotScope): Promise<string[]> {
  const known = (name: string): boolean => owned.has(name.endsWith(pendingEnding) ? name.slice(0, -pendingEnding.length) : name);
  const isInScope = (name: string): boolean => scope === 'all' || scope.some(suite => name.startsWith(suitePrefix(suite)));
  return (await listSnapshotNames(folder)).filter(name => !known(name) && isInScope(name));
}

/** Removes partially written files of a killed run. Does not follow a link. */
export async function tidySnapshotFolder(folder: string): Promise<void> {
  const isFolder = (await lstat(folder).catch(() => undefined))?.isDirectory() === true;
  if (isFolder && (await readNames(folder)).length > 0) await removeLeftOvers(folder);
}

async function readNames(folder: string): Promise<string[]> {
  try {
    return await readdir(path.resolve(folder));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
    throw error;
  }
}
