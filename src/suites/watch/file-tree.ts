import { type BigIntStats, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isIgnored, toolFolders } from './affected.js';

/** Snapshot of the files at and below some paths. */
export interface FileTree {
  /** Per file, a fingerprint that changes with the file. */
  readonly files: ReadonlyMap<string, string>;
  /** The folders to watch, by identity: a recreated folder has another identity. Includes the parents of the paths. */
  readonly folders: ReadonlyMap<string, string>;
}

/**
 * Scans files and folders, all absolute. Missing paths are omitted; their nearest existing parent is watched. Links to folders are not
 * followed.
 */
export function fileTree(paths: readonly string[]): FileTree {
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  const visit = (file: string): boolean => {
    const stats = statsOf(file);
    if (stats?.isDirectory() === true) visitFolder(file, stats);
    else if (stats !== undefined) files.set(file, `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`);
    return stats !== undefined;
  };
  const visitFolder = (folder: string, stats: BigIntStats): void => {
    if (folders.has(folder)) return;
    folders.set(folder, identityOf(stats));
    for (const entry of entriesOf(folder)) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory() && toolFolders.has(entry.name)) continue;
      if (!isIgnored(file) && (entry.isFile() || entry.isDirectory() || statsOf(file)?.isFile() === true)) visit(file);
    }
  };
  for (const given of paths) visit(given);
  for (const given of paths) nearestFolder(path.dirname(given), folders);
  return { files, folders };
}

/** Files that were added, removed or changed. */
export function changedFiles(before: FileTree, after: FileTree): string[] {
  const all = new Set([...before.files.keys(), ...after.files.keys()]);
  return [...all].filter(file => before.files.get(file) !== after.files.get(file));
}

function nearestFolder(folder: string, folders: Map<string, string>): void {
  const stats = statsOf(folder);
  if (stats?.isDirectory() === true) {
    if (!folders.has(folder)) folders.set(folder, identityOf(stats));
  } else if (path.dirname(folder) !== folder) nearestFolder(path.dirname(folder), folders);
}

/** An inode number may be reused immediately: the birth time distinguishes folders. */
function identityOf({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${birthtimeNs}`;
}

/** Files may disappear during the scan. */
function statsOf(file: string): BigIntStats | undefined {
  try {
    return statSync(file, { bigint: true });
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
