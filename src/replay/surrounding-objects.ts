import { onceValue } from '../go/once.js';
import type { ValueMap } from '../go/value.js';
import { keyOfKind, keyOfName } from '../kubernetes/storage.js';
import type { WrittenObjects } from '../kubernetes/written-objects.js';
import { essentialText, keyOfCall } from './essential-text.js';
import { objectIn } from './json-spans.js';
import { charactersOf, type KnownText, namespaceOfKey, resourceOfKey } from './known-key.js';

/** Objects that decide about calls for other objects, by key. */
export interface SurroundingObjects {
  readonly put: (key: string, text: KnownText) => void;
  readonly get: (key: string) => KnownText | undefined;
  /** Returns what they are now, for a call that may still be running when they change. */
  readonly snapshot: () => Surroundings;
  /** Returns a text that is equal as long as, and whenever, the objects are equal that decide about calls in a namespace. */
  readonly epochOf: (namespace: string) => string;
  readonly entries: () => readonly (readonly [string, KnownText])[];
}

/** The objects at one time. Their texts are read when a kind is asked for. */
export type Surroundings = Pick<WrittenObjects, 'row' | 'objects'>;

export interface SurroundingOptions {
  /** The kind of each resource, `group/resource`. */
  readonly kinds: ReadonlyMap<string, { readonly group: string; readonly kind: string }>;
  /** Characters of all keys and texts; beyond it, objects that were learned first are forgotten. */
  readonly maxCharacters: number;
}

interface Entry {
  readonly text: KnownText;
  readonly object: () => ValueMap | undefined;
}

/** Objects of one resource at one time, by key, and as a storage finds them. */
interface Row {
  readonly entries: Map<string, Entry>;
  readonly objects: () => ReadonlyMap<string, ValueMap | null>;
}

/** Epochs that are kept. */
const maxEpochs = 10_000;

export function surroundingObjects({ kinds, maxCharacters }: SurroundingOptions): SurroundingObjects {
  const all = new Map<string, Entry>();
  const inNamespaces = new Map<string, Set<string>>();
  const rows = new Map<string, Row>();
  const epochs = new Map<string, string>();
  /** Resources whose rows are in no snapshot. */
  const unshared = new Set<string>();
  let taken: Surroundings | undefined;
  let held = 0;

  /** Rows that a snapshot has are replaced, not changed. */
  const changeRow = (key: string, entry: Entry | undefined): void => {
    const resource = resourceOfKey(key);
    const before = rows.get(resource)?.entries;
    const entries = before !== undefined && unshared.has(resource) ? before : new Map(before);
    if (entry === undefined) entries.delete(key);
    else entries.set(key, entry);
    rows.set(resource, { entries, objects: onceValue(() => foundIn(entries)) });
    unshared.add(resource);
    taken = undefined;
  };
  const drop = (key: string): void => {
    const text = all.get(key)?.text;
    if (text === undefined) return;
    held -= charactersOf(key, text);
    all.delete(key);
    const siblings = inNamespaces.get(namespaceOfKey(key));
    siblings?.delete(key);
    if (siblings?.size === 0) inNamespaces.delete(namespaceOfKey(key));
    changeRow(key, undefined);
    epochs.delete(namespaceOfKey(key));
  };
  const put = (key: string, text: KnownText): void => {
    const before = all.get(key);
    if (before?.text === text) return;
    const namespace = namespaceOfKey(key);
    const entry: Entry = { text, object: onceValue(() => objectIn(text ?? '')) };
    if (before !== undefined) held -= charactersOf(key, before.text);
    held += charactersOf(key, text);
    all.set(key, entry);
    const siblings = inNamespaces.get(namespace) ?? new Set();
    inNamespaces.set(namespace, siblings.add(key));
    changeRow(key, entry);
    if (epochs.has(namespace) && !isEqual(before?.text, text)) epochs.delete(namespace);
    for (const oldest of all.keys()) {
      if (held <= maxCharacters) return;
      drop(oldest);
    }
  };
  return {
    put,
    get: key => all.get(key)?.text,
    snapshot: () => {
      unshared.clear();
      taken ??= snapshotOf(rows, kinds);
      return taken;
    },
    epochOf: namespace => {
      const known = epochs.get(namespace);
      if (known !== undefined) return known;
      if (epochs.size >= maxEpochs) epochs.clear();
      const keys = [...(inNamespaces.get(namespace) ?? [])].sort();
      const epoch = keyOfCall(keys.map(key => `${key} ${essentialText(all.get(key)?.text ?? '')}`));
      epochs.set(namespace, epoch);
      return epoch;
    },
    entries: () => [...all].map(([key, { text }]) => [key, text]),
  };
}

/** The rows that exist now, by kind. */
function snapshotOf(rows: ReadonlyMap<string, Row>, kinds: SurroundingOptions['kinds']): Surroundings {
  const byKind = new Map<string, Row>();
  for (const [resource, row] of rows) {
    const kind = kinds.get(resource);
    if (kind !== undefined) byKind.set(keyOfKind(kind), row);
  }
  return {
    row: kindKey => byKind.get(kindKey)?.objects() ?? nothing,
    objects: () => [...byKind.values()].flatMap(row => [...row.objects().values()].filter(object => object !== null)),
  };
}

const nothing: ReadonlyMap<string, ValueMap | null> = new Map();

/** Objects by namespace and name; null for those that were removed. */
function foundIn(entries: ReadonlyMap<string, Entry>): ReadonlyMap<string, ValueMap | null> {
  return new Map(
    [...entries].map(([key, { object }]) => {
      const [, namespace = '', name = ''] = key.split('|');
      return [keyOfName(namespace, name), object() ?? null];
    }),
  );
}

function isEqual(before: KnownText | undefined, text: KnownText): boolean {
  if (typeof before !== 'string' || text === null) return before === text;
  return before === text || essentialText(before) === essentialText(text);
}
