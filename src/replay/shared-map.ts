/** A map that never changes: a change returns another one, which shares most of its entries. */
export interface SharedMap<V> {
  readonly size: number;
  readonly get: (key: string) => V | undefined;
  /** Entries in the order in which their keys were added. */
  readonly entries: () => readonly (readonly [string, V])[];
  readonly with: (key: string, value: V) => SharedMap<V>;
  readonly without: (key: string) => SharedMap<V>;
}

/** Changes that are kept apart at least. A change copies those before it, and now and then everything: about twice the root of the size. */
const minChanges = 32;

/** Returns a map without entries. */
export function emptySharedMap<V>(): SharedMap<V> {
  return sharedMap(new Map(), new Map(), 0);
}

/** `changes` override `base`; undefined removes. */
function sharedMap<V>(base: ReadonlyMap<string, V>, changes: ReadonlyMap<string, V | undefined>, size: number): SharedMap<V> {
  const get = (key: string): V | undefined => (changes.has(key) ? changes.get(key) : base.get(key));
  const changed = (key: string, value: V | undefined): SharedMap<V> => {
    const difference = Number(value !== undefined) - Number(get(key) !== undefined);
    const own = new Map(changes).set(key, value);
    // A key that was removed and is added again comes last.
    const isAddedAgain = value !== undefined && changes.has(key) && changes.get(key) === undefined;
    if (own.size <= Math.max(minChanges, Math.sqrt(base.size)) && !isAddedAgain) return sharedMap(base, own, size + difference);
    const whole = new Map(entriesOf(base, changes));
    if (value === undefined) whole.delete(key);
    else whole.set(key, value);
    return sharedMap(whole, new Map(), whole.size);
  };
  return {
    size,
    get,
    entries: () => entriesOf(base, changes),
    with: changed,
    without: key => (get(key) === undefined ? sharedMap(base, changes, size) : changed(key, undefined)),
  };
}

function entriesOf<V>(base: ReadonlyMap<string, V>, changes: ReadonlyMap<string, V | undefined>): (readonly [string, V])[] {
  const entries: (readonly [string, V])[] = [];
  for (const [key, value] of base) {
    const now = changes.has(key) ? changes.get(key) : value;
    if (now !== undefined) entries.push([key, now]);
  }
  for (const [key, value] of changes) if (value !== undefined && !base.has(key)) entries.push([key, value]);
  return entries;
}
