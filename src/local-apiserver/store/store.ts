import { compactShown } from '../../apiserver/storage/shown-object.js';
import { CompactObject, storedResourceVersion, storeKeyOf } from '../../encoding/compact-object.js';
import { mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { GroupKind, LiveStorage, TextAt } from '../../kubernetes/live-storage.js';
import { kindOf } from '../../kubernetes/storage.js';
import type { StoreChange } from './change.js';
import { type ChangeLog, newChangeLog } from './change-log.js';
import { newCollectionNames } from './collection-names.js';
import { newLabelIndex } from './label-index.js';
import { newTrees, type Trees } from './trees.js';

/** In-memory store with the semantics of etcd: one revision counter, a history of changes, listeners. */
export interface Store extends LiveStorage {
  readonly log: ChangeLog;
  /** Returns all objects, and the revision of the last write. */
  contents(): StoreContents;
  /** Fills an empty store with the contents of another one. Its history is unknown. */
  restore(contents: StoreContents): void;
  /** Calls the listener after every write, in order; returns a function that unsubscribes. */
  subscribe(listener: (change: StoreChange) => void): () => void;
}

/** Objects in their stored form, by the names of their collections, at a revision. */
export interface StoreContents {
  readonly revision: number;
  readonly collections: ReadonlyMap<string, readonly ValueMap[]>;
}

/** Max time that a read waits for a future revision. Source: apiserver storage/cacher/watch_cache.go blockTimeout. */
const patienceMs = 3000;

/** Duration of a commit of etcd without fsync, as test environments run it. */
const commitMs = 1;

/** Creates an empty store. `now` is in milliseconds, for the age limit of the history. */
export function newStore(now: () => number): Store {
  const { named, contents } = newCollections();
  const names = newCollectionNames();
  const collectionOf = (kind: GroupKind): Collection => named(names.nameOf(kind));
  const { publish, subscribe } = newPublisher();
  const log = newChangeLog(now);
  const trees = newTrees(compactShown);
  let revision = 0;
  const tell = (change: StoreChange): string => {
    names.follow(change.object, change.previous);
    log.add(change);
    publish(change);
    return String(change.revision);
  };
  const write = (object: ValueMap, previous: ValueMap | undefined, collection: string, textAt: TextAt | undefined): string => {
    revision += 1;
    const key = storeKeyOf(object);
    const stored = keepWritten(object, { key, revision, textAt }, trees);
    named(collection).set(key, stored, object);
    return tell({ revision, collection, key, object: stored, previous });
  };
  const current = (object: ValueMap, expected: string, collection: string): ValueMap | undefined => {
    const found = named(collection).get(storeKeyOf(object));
    return found !== undefined && storedResourceVersion(found) === expected ? found : undefined;
  };
  return {
    log,
    contents: () => ({ revision, collections: contents() }),
    restore: restored => {
      for (const [name, objects] of restored.collections) {
        for (const object of objects) {
          named(name).set(storeKeyOf(object), trees.keep(object), object);
          names.follow(object, undefined);
        }
      }
      revision = restored.revision;
      log.startAt(revision);
    },
    subscribe,
    find: (kind, namespace, name) => collectionOf(kind).get(`${namespace}/${name}`),
    list: (kind, namespace) => collectionOf(kind).list(namespace),
    listLabelled: (kind, namespace, label, values) => collectionOf(kind).listLabelled(namespace, label, values),
    revision: () => revision,
    listAt: (wanted, kind, namespace) => {
      if (wanted === revision) return collectionOf(kind).list(namespace);
      const changes = log.since(wanted)?.filter(change => change.collection === names.nameOf(kind));
      return changes === undefined ? undefined : collectionOf(kind).without(changes, namespace);
    },
    committed: () => new Promise(resolve => setTimeout(resolve, commitMs)),
    waitForRevision: wanted => waitUntil(() => revision >= wanted, subscribe),
    create: (object, textAt) => {
      const collection = names.nameOf(kindOf(object));
      return named(collection).get(storeKeyOf(object)) === undefined ? write(object, undefined, collection, textAt) : undefined;
    },
    update: (object, expected, served = kindOf(object), textAt = undefined) => {
      const collection = names.nameOf(served);
      const previous = current(object, expected, collection);
      return previous === undefined ? undefined : write(object, previous, collection, textAt);
    },
    remove: (object, expected, served = kindOf(object)) => {
      const collection = names.nameOf(served);
      const previous = current(object, expected, collection);
      if (previous === undefined) return undefined;
      revision += 1;
      const key = storeKeyOf(object);
      named(collection).delete(key);
      return tell({ revision, collection, key, object: undefined, previous });
    },
  };
}

/** Returns what is kept of a written object. */
function keepWritten(
  object: ValueMap,
  { key, revision, textAt }: { readonly key: string; readonly revision: number; readonly textAt: TextAt | undefined },
  trees: Trees,
): ValueMap {
  const resourceVersion = String(revision);
  const text = textAt?.(resourceVersion);
  if (text === undefined) return trees.keep(withResourceVersion(object, revision));
  const identity = { kind: stringAt(object, 'kind'), apiVersion: stringAt(object, 'apiVersion'), key, resourceVersion };
  return trees.keepText(text, identity);
}

interface Collections {
  readonly named: (name: string) => Collection;
  /** Returns all objects by the names of their collections. */
  readonly contents: () => ReadonlyMap<string, readonly ValueMap[]>;
}

/** Collections by name, created on first use. */
function newCollections(): Collections {
  const collections = new Map<string, Collection>();
  const plain = (object: ValueMap): ValueMap => (object instanceof CompactObject ? object.toMap() : object);
  return {
    named: name => {
      const found = collections.get(name);
      if (found !== undefined) return found;
      const made = newCollection();
      collections.set(name, made);
      return made;
    },
    contents: () => new Map([...collections].map(([name, collection]) => [name, collection.list(undefined).map(plain)])),
  };
}

function waitUntil(isThere: () => boolean, subscribe: Store['subscribe']): Promise<boolean> {
  return new Promise(resolve => {
    const finish = (): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve(isThere());
    };
    const timer = setTimeout(finish, patienceMs);
    const unsubscribe = subscribe(() => {
      if (isThere()) finish();
    });
  });
}

/** Returns the object with another resourceVersion, where reads show it; other parts are shared. */
export function withResourceVersion(object: ValueMap, revision: number): ValueMap {
  const metadata: ValueMap = new Map();
  for (const [key, value] of mapAt(object, 'metadata') ?? []) {
    if (key === 'resourceVersion') continue;
    metadata.set(key, value);
    if (key === 'uid') metadata.set('resourceVersion', String(revision));
  }
  if (!metadata.has('resourceVersion')) metadata.set('resourceVersion', String(revision));
  return new Map<string, Value>(object).set('metadata', metadata);
}

/** Objects of one resource by `namespace/name`; lists are kept sorted by key. */
interface Collection {
  get(key: string): ValueMap | undefined;
  /** `labelled`: the object, or what it was made of. */
  set(key: string, object: ValueMap, labelled: ValueMap): void;
  delete(key: string): void;
  list(namespace: string | undefined): ValueMap[];
  listLabelled(namespace: string | undefined, label: string, values: readonly string[]): ValueMap[];
  /** Returns the list before the given changes, which must be the latest ones. */
  without(changes: readonly StoreChange[], namespace: string | undefined): ValueMap[];
}

/** Creates an empty collection. */
function newCollection(): Collection {
  const objects = new Map<string, ValueMap>();
  const keys: string[] = [];
  const labels = newLabelIndex();
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
    set: (key, object, labelled) => {
      if (!objects.has(key)) keys.splice(placeIn(keys, key), 0, key);
      objects.set(key, object);
      labels.set(key, labelled);
    },
    delete: key => {
      if (objects.delete(key)) keys.splice(placeIn(keys, key), 1);
      labels.delete(key);
    },
    list: namespace => listed(keys, objects, namespace),
    listLabelled: (namespace, label, values) => listed(labels.keysWith(label, values), objects, namespace),
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

/** Notifies listeners of changes in order: a write by a listener is published after the change that triggered it. */
interface Publisher {
  publish(change: StoreChange): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (change: StoreChange) => void): () => void;
}

/** Creates a publisher without listeners. */
function newPublisher(): Publisher {
  const listeners = new Set<(change: StoreChange) => void>();
  const waiting: StoreChange[] = [];
  let isRunning = false;
  return {
    publish: change => {
      waiting.push(change);
      if (isRunning) return;
      isRunning = true;
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) for (const listener of [...listeners]) listener(next);
      } finally {
        isRunning = false;
      }
    },
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
