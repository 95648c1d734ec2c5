import { type FSWatcher, watch } from 'node:fs';
import { batches } from './batches.js';
import { changedFiles, type FileTree, fileTree } from './file-tree.js';

/** Files that are being watched. */
export interface FileWatch {
  /** Watches these instead, from now on. */
  readonly follow: (paths: readonly string[]) => void;
  /** Settles when nothing is told any more. */
  readonly close: () => Promise<void>;
}

export interface WatchOptions {
  /** Files and folders, absolute. They need not exist yet. */
  readonly paths: readonly string[];
  /** How long nothing has to happen before changes are told. */
  readonly quietMs: number;
  /** Hears of changed, new and removed files, one batch at a time. Must not reject. */
  readonly onChange: (files: readonly string[]) => Promise<void>;
}

/**
 * Watches files and folders with all that is in them. What the system tells is a hint to look, and what changed is what looks different: recursive watching
 * loses, on Linux, files that were replaced by renaming and folders that were made again, in Node 20 and in chokidar.
 */
export function watchFiles({ paths, quietMs, onChange }: WatchOptions): FileWatch {
  let followed = paths;
  let tree = fileTree(followed);
  const hints = batches<'look'>(quietMs, async () => {
    const before = tree;
    tree = look();
    const changed = changedFiles(before, tree);
    if (changed.length > 0) await onChange(changed);
  });
  const folders = folderWatchers(() => hints.add('look'));
  /** What came into a new folder before it was watched is seen by looking once more. */
  const look = (): FileTree => {
    const found = fileTree(followed);
    return folders.follow(found.folders) ? look() : found;
  };
  folders.follow(tree.folders);
  tree = look();
  return {
    follow: wanted => {
      followed = wanted;
      // What is watched from now on has not changed.
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
  /** Watches these folders and no others. True when one of them was not watched before. */
  readonly follow: (folders: ReadonlyMap<string, string>) => boolean;
  readonly close: () => void;
}

/** How often to look where the system cannot watch: it has no watchers left, or the file system has none. */
const lookEveryMs = 1000;

function folderWatchers(hint: () => void): FolderWatchers {
  const watched = new Map<string, { readonly identity: string; readonly watcher: FSWatcher | undefined }>();
  let timer: NodeJS.Timeout | undefined;
  const start = (folder: string): FSWatcher | undefined => {
    try {
      const watcher = watch(folder, hint);
      // The folder is gone, which the one above it tells, too.
      watcher.on('error', hint);
      return watcher;
    } catch {
      timer ??= setInterval(hint, lookEveryMs);
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
