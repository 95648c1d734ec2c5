import { type BigIntStats, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { isIgnored, toolFolders } from './affected.js';

/** A running file watcher. */
export interface FileWatch {
  /** Replaces the watched paths. */
  readonly follow: (paths: readonly string[]) => void;
  /** Resolves when no more changes are reported. */
  readonly close: () => Promise<void>;
}

export interface FileWatchOptions {
  /** Files and folders, absolute. They need not exist yet. */
  readonly paths: readonly string[];
  /** Quiet period before changes are reported. */
  readonly quietMs: number;
  /** Called with changed, new and removed files, one batch at a time. Must not reject. */
  readonly onChange: (files: readonly string[]) => Promise<void>;
}

/**
 * Watches files and folders recursively. A system event only triggers a scan, and changes are differences between scans: on Linux,
 * recursive watching misses files replaced by renaming and recreated folders, in Node 20 and in chokidar.
 */
export function watchFiles({ paths, quietMs, onChange }: FileWatchOptions): FileWatch {
  let followed = paths;
  let tree = fileTree(followed);
  const hints = batches<'look'>(quietMs, async () => {
    const before = tree;
    tree = look();
    const changed = changedFiles(before, tree);
    if (changed.length > 0) await onChange(changed);
  });
  const folders = folderWatchers(() => hints.add('look'));
  /** Scans again, because a new folder may have been filled before it was watched. */
  const look = (): FileTree => {
    const found = fileTree(followed);
    return folders.follow(found.folders) ? look() : found;
  };
  folders.follow(tree.folders);
  tree = look();
  return {
    follow: wanted => {
      followed = wanted;
      // Newly watched paths count as unchanged.
      const found = look();
      tree = { ...found, files: new Map([...found.files].map(([file, mark]) => [file, tree.files.get(file) ?? mark])) };
    },
    close: async () => {
      folders.close();
      await hints.close();
    },
  };
}

interface FolderWatchers {
  /** Watches exactly these folders. Returns whether one of them is new. */
  readonly follow: (folders: ReadonlyMap<string, string>) => boolean;
  readonly close: () => void;
}

/** Polling interval if the system cannot watch: it has no watchers left, or the file system does not support them. */
const pollIntervalMs = 1000;

function folderWatchers(hint: () => void): FolderWatchers {
  const watched = new Map<string, { readonly identity: string; readonly watcher: FSWatcher | undefined }>();
  let timer: NodeJS.Timeout | undefined;
  const start = (folder: string): FSWatcher | undefined => {
    try {
      const watcher = watch(folder, hint);
      // The folder is gone, which its parent reports, too.
      watcher.on('error', hint);
      return watcher;
    } catch {
      timer ??= setInterval(hint, pollIntervalMs);
      return undefined;
    }
  };
  return {
    follow: folders => {
      for (const [folder, { identity, watcher }] of watched) {
        if (folders.get(folder) === identity) continue;
        watcher?.close();
        watched.delete(folder);
      }
      const fresh = [...folders].filter(([folder]) => !watched.has(folder));
      for (const [folder, identity] of fresh) watched.set(folder, { identity, watcher: start(folder) });
      return fresh.length > 0;
    },
    close: () => {
      clearInterval(timer);
      for (const { watcher } of watched.values()) watcher?.close();
    },
  };
}

/** Collects items into batches. */
interface Batches<T> {
  readonly add: (item: T) => void;
  /** Stops delivering. Resolves when the last batch is handled. */
  readonly close: () => Promise<void>;
}

/**
 * Delivers items in batches, each once per batch, after a quiet period of some milliseconds and after the previous batch is handled: saving
 * a file gives several events, checking out a branch hundreds. `handle` must not reject.
 */
export function batches<T>(quietMs: number, handle: (items: readonly T[]) => Promise<void>): Batches<T> {
  const waiting = new Set<T>();
  let timer: NodeJS.Timeout | undefined;
  let handling: Promise<void> | undefined;
  const flush = (): void => {
    timer = undefined;
    if (handling !== undefined || waiting.size === 0) return;
    const items = [...waiting];
    waiting.clear();
    handling = handle(items).finally(() => {
      handling = undefined;
      if (waiting.size > 0 && timer === undefined) timer = setTimeout(flush, quietMs);
    });
  };
  return {
    add: item => {
      waiting.add(item);
      clearTimeout(timer);
      timer = setTimeout(flush, quietMs);
    },
    close: async () => {
      await handling;
      clearTimeout(timer);
      waiting.clear();
    },
  };
}

/** Snapshot of the files at and below some paths. */
interface FileTree {
  /** Per file, a fingerprint that changes with the file. */
  readonly files: ReadonlyMap<string, string>;
  /** The folders to watch, by identity: a recreated folder has another identity. Includes the parents of the paths. */
  readonly folders: ReadonlyMap<string, string>;
}

/**
 * Scans files and folders, all absolute. Missing paths are omitted; their nearest existing parent is watched. Links to folders are not
 * followed.
 */
function fileTree(paths: readonly string[]): FileTree {
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
function changedFiles(before: FileTree, after: FileTree): string[] {
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
