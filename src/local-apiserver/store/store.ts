import { mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { GroupKind, LiveStorage } from '../../kubernetes/live-storage.js';
import { kindOf, storedKind } from '../../kubernetes/storage.js';
import type { Change } from './change.js';
import { type ChangeLog, newChangeLog } from './change-log.js';
import { type Collection, newCollection } from './collection.js';
import { newPublisher } from './publisher.js';

/** In-memory store with the semantics of etcd: one revision counter, a history of changes, listeners. */
export interface Store extends LiveStorage {
  readonly log: ChangeLog;
  /** Returns all objects, and the revision of the last write. */
  contents(): StoreContents;
  /** Fills an empty store with the contents of another one. Its history is unknown. */
  restore(contents: StoreContents): void;
  /** Calls the listener after every write, in order; returns a function that unsubscribes. */
  subscribe(listener: (change: Change) => void): () => void;
}

/** Objects in their stored form, at a revision. */
export interface StoreContents {
  readonly revision: number;
  readonly objects: readonly ValueMap[];
}

/** Max time that a read waits for a future revision. Source: apiserver storage/cacher/watch_cache.go blockTimeout. */
const patienceMs = 3000;

/** Duration of a commit of etcd without fsync, as test environments run it. */
const commitMs = 1;

/** Creates an empty store. `now` is in milliseconds, for the age limit of the history. */
export function newStore(now: () => number): Store {
  const collections = newCollections();
  const { collectionOf } = collections;
  const { publish, subscribe } = newPublisher();
  const log = newChangeLog(now);
  let revision = 0;
  const tell = (change: Omit<Change, 'kind'>, kind: GroupKind): string => {
    const published = { ...change, kind: kindName(kind) };
    log.add(published);
    publish(published);
    return String(change.revision);
  };
  const write = (object: ValueMap, previous: ValueMap | undefined): string => {
    revision += 1;
    const stored = withResourceVersion(object, revision);
    collectionOf(kindOf(object)).set(keyOf(object), stored);
    return tell({ revision, key: keyOf(object), object: stored, previous }, kindOf(object));
  };
  const current = (object: ValueMap, expected: string): ValueMap | undefined => {
    const found = collectionOf(kindOf(object)).get(keyOf(object));
    return found !== undefined && stringAt(found, 'metadata', 'resourceVersion') === expected ? found : undefined;
  };
  return {
    log,
    contents: () => ({ revision, objects: collections.all() }),
    restore: contents => {
      for (const object of contents.objects) collectionOf(kindOf(object)).set(keyOf(object), object);
      revision = contents.revision;
      log.startAt(revision);
    },
    subscribe,
    find: (kind, namespace, name) => collectionOf(kind).get(`${namespace}/${name}`),
    list: (kind, namespace) => collectionOf(kind).list(namespace),
    revision: () => revision,
    listAt: (wanted, kind, namespace) => {
      if (wanted === revision) return collectionOf(kind).list(namespace);
      const changes = log.since(wanted)?.filter(change => change.kind === kindName(kind));
      return changes === undefined ? undefined : collectionOf(kind).without(changes, namespace);
    },
    committed: () => new Promise(resolve => setTimeout(resolve, commitMs)),
    waitForRevision: wanted => waitUntil(() => revision >= wanted, subscribe),
    create: object => (collectionOf(kindOf(object)).get(keyOf(object)) === undefined ? write(object, undefined) : undefined),
    update: (object, expected) => {
      const previous = current(object, expected);
      return previous === undefined ? undefined : write(object, previous);
    },
    remove: (object, expected) => {
      const previous = current(object, expected);
      if (previous === undefined) return undefined;
      revision += 1;
      collectionOf(kindOf(object)).delete(keyOf(object));
      return tell({ revision, key: keyOf(object), object: undefined, previous }, kindOf(object));
    },
  };
}

interface Collections {
  readonly collectionOf: (kind: GroupKind) => Collection;
  readonly all: () => ValueMap[];
}

/** Collections by kind, created on first use. */
function newCollections(): Collections {
  const collections = new Map<string, Collection>();
  return {
    collectionOf: kind => {
      const found = collections.get(kindName(kind)) ?? newCollection();
      collections.set(kindName(kind), found);
      return found;
    },
    all: () => [...collections.values()].flatMap(collection => collection.list(undefined)),
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

/** `group/Kind`: name of a collection in changes. */
export function kindName(kind: GroupKind): string {
  const stored = storedKind(kind);
  return `${stored.group}/${stored.kind}`;
}

/** `namespace/name`: key of an object in changes. */
export function keyOf(object: ValueMap): string {
  return `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}`;
}

/** Returns the object with another resourceVersion; other parts are shared. */
export function withResourceVersion(object: ValueMap, revision: number): ValueMap {
  const metadata = new Map<string, Value>(mapAt(object, 'metadata') ?? []).set('resourceVersion', String(revision));
  return new Map<string, Value>(object).set('metadata', metadata);
}
