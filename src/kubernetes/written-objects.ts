import type { ValueMap } from '../go/value.js';

/** Changed objects of a kind by key, in the order of their first write; null for a removed one. */
export type WrittenRow = Pick<ReadonlyMap<string, ValueMap | null>, 'get' | 'size' | typeof Symbol.iterator>;

/** Objects that earlier calls of a run wrote and removed. They override the objects of the state. */
export interface WrittenObjects {
  row(kindKey: string): WrittenRow;
  /** All objects that were written and not removed. */
  objects(): ValueMap[];
  /** Sets an object, or null for a removed one. */
  set(kindKey: string, key: string, object: ValueMap | null): void;
}

const nothing: WrittenRow = new Map();

/** Returns a record without any writes. */
export function newWrittenObjects(): WrittenObjects {
  const rows = new Map<string, Map<string, ValueMap | null>>();
  return {
    row: kindKey => rows.get(kindKey) ?? nothing,
    objects: () => [...rows.values()].flatMap(row => [...row.values()].filter(object => object !== null)),
    set: (kindKey, key, object) => {
      const row = rows.get(kindKey) ?? new Map<string, ValueMap | null>();
      rows.set(kindKey, row.set(key, object));
    },
  };
}
