import { weightOf } from '../../encoding/compact-object.js';
import type { StoreChange } from './change.js';
import { type Missed, newWatchWindow, type WatchWindow } from './watch-window.js';

/** History of changes: of all collections, limited by age, number and size, as etcd has it; and of each one, as watches get it. */
export interface ChangeLog {
  add(change: StoreChange): void;
  /** Makes the changes up to a revision unknown. */
  startAt(revision: number): void;
  /** Makes the changes of a collection up to a revision unknown to its watches, unless that was done since `endWindow`. */
  beginWindow(collection: string, revision: number): void;
  endWindow(collection: string): void;
  /** Returns the changes after a revision, oldest first; undefined if some of them were dropped. */
  since(revision: number): readonly StoreChange[] | undefined;
  /** Returns the changes of a collection that a watch missed after a revision. */
  missed(collection: string, revision: number): Missed;
}

/** etcd is compacted every five minutes, and keeps another five minutes. */
const keptMs = 10 * 60_000;
const maxKept = 50_000;
/** In the units of `weightOf`: about 200 MB of memory. */
const maxSize = 32 * 1024 * 1024;
/** Of the changes of one collection; most of them are also part of the history. */
const maxWindowSize = maxSize / 4;

/** Creates an empty history. */
export function newChangeLog(now: () => number): ChangeLog {
  let kept: { readonly change: StoreChange; readonly at: number; readonly size: number }[] = [];
  let [start, totalSize] = [0, 0];
  const first = (): number => kept[start]?.change.revision ?? Number.POSITIVE_INFINITY;
  let forgotten = 0;
  const windows = new Map<string, WatchWindow>();
  const begun = new Set<string>();
  let origin = 0;
  const windowOf = (collection: string): WatchWindow => {
    const window = windows.get(collection) ?? newWatchWindow(origin, maxWindowSize);
    windows.set(collection, window);
    return window;
  };
  const forget = (): void => {
    const oldest = now() - keptMs;
    for (let entry = kept[start]; entry !== undefined; entry = kept[start]) {
      if (kept.length - start <= maxKept && totalSize <= maxSize && entry.at >= oldest) break;
      forgotten = entry.change.revision;
      totalSize -= entry.size;
      start += 1;
    }
    // Entries before `start` keep their objects in memory until they are removed.
    if (start > 1024 && start * 8 > kept.length) {
      kept = kept.slice(start);
      start = 0;
    }
  };
  return {
    add: change => {
      const size = weightOf(change.object ?? change.previous ?? null);
      const at = now();
      kept.push({ change, at, size });
      windowOf(change.collection).add(change, at, size);
      totalSize += size;
      forget();
    },
    startAt: revision => {
      [forgotten, origin] = [revision, revision];
      windows.clear();
      begun.clear();
    },
    beginWindow: (collection, revision) => {
      if (begun.has(collection)) return;
      begun.add(collection);
      windows.set(collection, newWatchWindow(revision, maxWindowSize));
    },
    endWindow: collection => {
      begun.delete(collection);
    },
    missed: (collection, revision) => windowOf(collection).since(revision),
    since: revision => {
      if (revision < forgotten) return undefined;
      const offset = Math.max(0, revision + 1 - first());
      return kept.slice(start + (Number.isFinite(offset) ? offset : 0)).map(({ change }) => change);
    },
  };
}
