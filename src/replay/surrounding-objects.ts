import type { ValueMap } from '../go/value.js';
import { keyOfKind, keyOfName } from '../kubernetes/storage.js';
import type { WrittenObjects, WrittenRow } from '../kubernetes/written-objects.js';
import { essentialText, keyOfCall } from './essential-text.js';
import { objectIn } from './json-spans.js';
import { charactersOf, type KnownText, namespaceOfKey } from './known-key.js';
import { emptySharedMap, type SharedMap } from './shared-map.js';

/** Objects that decide about calls for other objects, by key. */
export interface SurroundingObjects {
  readonly put: (key: string, text: KnownText) => void;
  readonly get: (key: string) => KnownText | undefined;
  /** Returns what they are now, for a call that may still be running when they change. */
  readonly snapshot: () => ReplaySurroundings;
  /** Returns a text that is equal as long as, and whenever, the objects are equal that decide about calls in a namespace. */
  readonly epochOf: (namespace: string) => string;
  readonly entries: () => readonly (readonly [string, KnownText])[];
}

/** The objects at one time. Their texts are read when an object or its kind is asked for. */
export type ReplaySurroundings = Pick<WrittenObjects, 'row' | 'objects'>;

export interface SurroundingOptions {
  /** The kind of each resource, `group/resource`. */
  readonly kinds: ReadonlyMap<string, { readonly group: string; readonly kind: string }>;
  /** Characters of all keys and texts; beyond it, objects that were learned first are forgotten. */
  readonly maxCharacters: number;
}

interface Entry {
  readonly text: KnownText;
  readonly object: () => ValueMap | undefined;
  /** Number of what matters to other calls. */
  readonly digest: bigint;
}

/** What an entry takes besides its key and text: it is in several maps. */
const charactersOfEntry = 500;

/** Objects of one resource, by namespace and name. */
type Row = SharedMap<Entry>;

export function surroundingObjects({ kinds, maxCharacters }: SurroundingOptions): SurroundingObjects {
  const all = new Map<string, Entry>();
  const rows = new Map<string, Row>();
  /**
   * Sums of the digests of the objects of each namespace: a log may create thousands of namespaces, and each of them would have to be read again for every
   * change of one.
   */
  const epochs = new Map<string, bigint>();
  let taken: ReplaySurroundings | undefined;
  let held = 0;

  const addToEpoch = (key: string, difference: bigint): void => {
    const namespace = namespaceOfKey(key);
    const sum = BigInt.asUintN(digestBits, (epochs.get(namespace) ?? 0n) + difference);
    if (sum === 0n) epochs.delete(namespace);
    else epochs.set(namespace, sum);
  };
  const changeRow = (key: string, change: (row: Row, name: string) => Row): void => {
    const [resource, namespace = '', name = ''] = key.split('|');
    rows.set(resource ?? '', change(rows.get(resource ?? '') ?? emptySharedMap(), keyOfName(namespace, name)));
    taken = undefined;
  };
  const drop = (key: string): void => {
    const entry = all.get(key);
    if (entry === undefined) return;
    held -= charactersOfEntry + charactersOf(key, entry.text);
    all.delete(key);
    changeRow(key, (row, name) => row.without(name));
    addToEpoch(key, -entry.digest);
  };
  const put = (key: string, text: KnownText): void => {
    const before = all.get(key);
    if (before?.text === text) return;
    const entry: Entry = { text, object: weakly(() => objectIn(text ?? '')), digest: digestOf(key, text) };
    if (before !== undefined) held -= charactersOfEntry + charactersOf(key, before.text);
    held += charactersOfEntry + charactersOf(key, text);
    all.set(key, entry);
    changeRow(key, (row, name) => row.with(name, entry));
    addToEpoch(key, entry.digest - (before?.digest ?? 0n));
    for (const oldest of all.keys()) {
      if (held <= maxCharacters) return;
      drop(oldest);
    }
  };
  return {
    put,
    get: key => all.get(key)?.text,
    snapshot: () => {
      taken ??= snapshotOf(rows, kinds);
      return taken;
    },
    epochOf: namespace => (epochs.get(namespace) ?? 0n).toString(36),
    entries: () => [...all].map(([key, { text }]) => [key, text]),
  };
}

/**
 * Makes an object when it is asked for, and again when the garbage collector has taken it: objects take five times the memory of their texts, and most of
 * them are read once, as rows of a list.
 */
function weakly(make: () => ValueMap | undefined): () => ValueMap | undefined {
  let kept: WeakRef<ValueMap> | undefined;
  return () => {
    const known = kept?.deref();
    if (known !== undefined) return known;
    const object = make();
    kept = object === undefined ? undefined : new WeakRef(object);
    return object;
  };
}

const digestBits = 128;

function digestOf(key: string, text: KnownText): bigint {
  return BigInt(`0x${keyOfCall([key, essentialText(text ?? '')])}`);
}

/** The rows that exist now, by kind. */
function snapshotOf(rows: ReadonlyMap<string, Row>, kinds: SurroundingOptions['kinds']): ReplaySurroundings {
  const byKind = new Map<string, WrittenRow>();
  for (const [resource, row] of rows) {
    const kind = kinds.get(resource);
    if (kind !== undefined) byKind.set(keyOfKind(kind), writtenRow(row));
  }
  return {
    row: kindKey => byKind.get(kindKey) ?? nothing,
    objects: () => [...byKind.values()].flatMap(row => [...row].flatMap(([, object]) => object ?? [])),
  };
}

const nothing: WrittenRow = new Map();

/** Returns the objects of a row, as a storage finds them; null for those that were removed. */
function writtenRow({ size, get, entries }: Row): WrittenRow {
  return {
    size,
    get: name => {
      const entry = get(name);
      return entry === undefined ? undefined : (entry.object() ?? null);
    },
    [Symbol.iterator]: () => new Map(entries().map(([name, { object }]) => [name, object() ?? null])).entries(),
  };
}
