import { type FSWatcher, watch } from 'node:fs';
import { batches } from './batches.js';
import { changedFiles, type FileTree, fileTree } from './file-tree.js';

/** A running file watcher. */
export interface FileWatch {
  /** Replaces the watched paths. */
  readonly follow: (paths: readonly string[]) => void;
  /** Resolves when no more changes are reported. */
  readonly close: () => Promise<void>;
}

export interface WatchOptions {
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
