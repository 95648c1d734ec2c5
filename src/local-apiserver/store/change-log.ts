import type { ValueMap } from '../../go/value.js';

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

/** History of changes, limited by age and number. */
export interface ChangeLog {
  add(change: Change): void;
  /** Returns the changes after a revision, oldest first; undefined if some of them were dropped. */
  since(revision: number): readonly Change[] | undefined;
}

/** etcd is compacted every five minutes, and keeps another five minutes. */
const keptMs = 10 * 60_000;
const maxKept = 50_000;

/** Creates an empty history. */
export function newChangeLog(now: () => number): ChangeLog {
  let kept: { readonly change: Change; readonly at: number }[] = [];
  let start = 0;
  const first = (): number => kept[start]?.change.revision ?? Number.POSITIVE_INFINITY;
  let forgotten = 0;
  const forget = (): void => {
    const oldest = now() - keptMs;
    for (let entry = kept[start]; entry !== undefined; entry = kept[start]) {
      if (kept.length - start <= maxKept && entry.at >= oldest) break;
      forgotten = entry.change.revision;
      start += 1;
    }
    if (start > 1024 && start * 2 > kept.length) {
      kept = kept.slice(start);
      start = 0;
    }
  };
  return {
    add: change => {
      kept.push({ change, at: now() });
      forget();
    },
    since: revision => {
      if (revision < forgotten) return undefined;
      const offset = Math.max(0, revision + 1 - first());
      return kept.slice(start + (Number.isFinite(offset) ? offset : 0)).map(({ change }) => change);
    },
  };
}
