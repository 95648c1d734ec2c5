import type { ValueMap } from '../../go/value.js';
import type { Change } from './change.js';

/** Objects of one kind by `namespace/name`; lists are kept sorted by key. */
export interface Collection {
  get(key: string): ValueMap | undefined;
  set(key: string, object: ValueMap): void;
  delete(key: string): void;
  list(namespace: string | undefined): ValueMap[];
  /** Returns the list before the given changes, which must be the latest ones. */
  without(changes: readonly Change[], namespace: string | undefined): ValueMap[];
}

/** Creates an empty collection. */
export function newCollection(): Collection {
  const objects = new Map<string, ValueMap>();
  const keys: string[] = [];
  const listed = (from: readonly string[], of: ReadonlyMap<string, ValueMap>, namespace: string | undefined): ValueMap[] => {
    const [start, end] = namespace === undefined ? [0, from.length] : [placeIn(from, `${namespace}/`), placeIn(from, `${namespace}0`)];
    const found: ValueMap[] = [];
    for (let i = start; i < end; i += 1) {
      const object = of.get(from[i] ?? '');
      if (object !== undefined) found.push(object);
    }
    return found;
  };
  return {
    get: key => objects.get(key),
    set: (key, object) => {
      if (!objects.has(key)) keys.splice(placeIn(keys, key), 0, key);
      objects.set(key, object);
    },
    delete: key => {
      if (objects.delete(key)) keys.splice(placeIn(keys, key), 1);
    },
    list: namespace => listed(keys, objects, namespace),
    without: (changes, namespace) => {
      const before = new Map(objects);
      for (const { key, previous } of [...changes].reverse()) {
        if (previous === undefined) before.delete(key);
        else before.set(key, previous);
      }
      return listed([...before.keys()].sort(compareKeys), before, namespace);
    },
  };
}

/** `0` follows `/` in ASCII: `ns0` is the first key after all of `ns/`. Returns the index of the first key that is not less. */
function placeIn(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
