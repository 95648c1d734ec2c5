import type { StoreChange } from './change.js';

/** Changes after a revision, or the oldest revision from which a watch can still start. */
export type Missed = { readonly changes: readonly StoreChange[] } | { readonly oldest: number };

/**
 * Last changes of one kind, for watches that start in the past. The age of changes does not matter, only their number, which grows while
 * changes are frequent. Source: apiserver storage/cacher/watch_cache.go.
 */
export interface WatchWindow {
  /** Adds a change. `at` is its time in milliseconds; `size` as in the history. */
  add(change: StoreChange, at: number, size: number): void;
  since(revision: number): Missed;
}

const minCapacity = 100;
const maxCapacity = 100 * 1024;
/** A full window doubles if its oldest change is younger, and halves if all but its newest quarter is older. */
const freshMs = 75_000;

/** Creates the window of a kind whose changes are known from a revision on. `maxSize` is the total size of its changes. */
export function newWatchWindow(origin: number, maxSize: number): WatchWindow {
  let kept: { readonly change: StoreChange; readonly at: number; readonly size: number }[] = [];
  let [start, capacity, totalSize] = [0, minCapacity, 0];
  let oldest = origin;
  const drop = (): void => {
    const first = kept[start];
    if (first === undefined) return;
    totalSize -= first.size;
    start += 1;
    oldest = (kept[start]?.change.revision ?? first.change.revision + 1) - 1;
    // Entries before `start` keep their objects in memory until they are removed.
    if (start < minCapacity || start * 8 < kept.length) return;
    kept = kept.slice(start);
    start = 0;
  };
  const isFull = (): boolean => kept.length - start >= capacity;
  const isFresh = (index: number, at: number): boolean => at - (kept[index]?.at ?? at) < freshMs;
  const resize = (at: number): void => {
    if (!isFull()) return;
    if (isFresh(start, at)) capacity = Math.min(capacity * 2, maxCapacity);
    else if (!isFresh(kept.length - Math.floor(capacity / 4), at)) capacity = Math.max(capacity / 2, minCapacity);
  };
  return {
    add: (change, at, size) => {
      resize(at);
      while (isFull()) drop();
      kept.push({ change, at, size });
      totalSize += size;
      while (totalSize > maxSize && kept.length - start > 1) drop();
    },
    since: revision => {
      if (revision < oldest) return { oldest };
      let first = kept.length;
      while (first > start && (kept[first - 1]?.change.revision ?? 0) > revision) first -= 1;
      return { changes: kept.slice(first).map(({ change }) => change) };
    },
  };
}
