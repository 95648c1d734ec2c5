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

/** Written objects of which a record can be kept. */
export interface CopiedWrites extends WrittenObjects {
  /** Returns the writes so far, which later ones do not change. */
  copy(): CopiedWrites;
}

const nothing: WrittenRow = new Map();

/** Returns a record without any writes. */
export function newWrittenObjects(): CopiedWrites {
  return writtenIn(new Map());
}

function writtenIn(rows: Map<string, Map<string, ValueMap | null>>): CopiedWrites {
  return {
    row: kindKey => rows.get(kindKey) ?? nothing,
    objects: () => [...rows.values()].flatMap(row => [...row.values()].filter(object => object !== null)),
    set: (kindKey, key, object) => {
      const row = rows.get(kindKey) ?? new Map<string, ValueMap | null>();
      rows.set(kindKey, row.set(key, object));
    },
    copy: () => writtenIn(new Map([...rows].map(([kindKey, row]) => [kindKey, new Map(row)]))),
  };
}
