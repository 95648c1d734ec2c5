import { isList, isMap, isRawJson, type Value, type ValueMap } from '../../go/value.js';

/** One write: the object after and before it; undefined if there is none. */
export interface Change {
  readonly revision: number;
  /** `group/Kind` */
  readonly kind: string;
  /** `namespace/name` */
  readonly key: string;
  readonly object: ValueMap | undefined;
  readonly previous: ValueMap | undefined;
}

/** History of changes, limited by age, number and size. */
export interface ChangeLog {
  add(change: Change): void;
  /** Makes the changes up to a revision unknown. */
  startAt(revision: number): void;
  /** Returns the changes after a revision, oldest first; undefined if some of them were dropped. */
  since(revision: number): readonly Change[] | undefined;
}

/** etcd is compacted every five minutes, and keeps another five minutes. */
const keptMs = 10 * 60_000;
const maxKept = 50_000;
/** In the units of `sizeOf`: about 200 MB of memory. */
const maxSize = 32 * 1024 * 1024;

/** Creates an empty history. */
export function newChangeLog(now: () => number): ChangeLog {
  let kept: { readonly change: Change; readonly at: number; readonly size: number }[] = [];
  let [start, totalSize] = [0, 0];
  const first = (): number => kept[start]?.change.revision ?? Number.POSITIVE_INFINITY;
  let forgotten = 0;
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
      const size = sizeOf(change.object ?? change.previous ?? null);
      kept.push({ change, at: now(), size });
      totalSize += size;
      forget();
    },
    startAt: revision => {
      forgotten = revision;
    },
    since: revision => {
      if (revision < forgotten) return undefined;
      const offset = Math.max(0, revision + 1 - first());
      return kept.slice(start + (Number.isFinite(offset) ? offset : 0)).map(({ change }) => change);
    },
  };
}

/** Size of a value: the characters of its strings, plus a constant for each value. */
function sizeOf(value: Value): number {
  if (typeof value === 'string') return perValue + value.length;
  if (isRawJson(value)) return perValue + value.rawJson.length;
  let size = perValue;
  if (isList(value)) for (const item of value) size += sizeOf(item);
  else if (isMap(value)) for (const [key, member] of value) size += key.length + sizeOf(member);
  return size;
}

const perValue = 8;
