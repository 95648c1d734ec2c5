import type { GroupKind, LiveStorage } from '../../kubernetes/live-storage.js';
import { kindOf, storedKind } from '../../kubernetes/storage.js';
import { mapAt, stringAt, type Value, type ValueMap } from '../../kubernetes/value.js';
import { type Change, type ChangeLog, newChangeLog } from './change-log.js';
import { newCollection } from './collection.js';

/** A store in memory with etcd's rules: one counter, a history of changes, listeners. */
export interface Store extends LiveStorage {
  readonly log: ChangeLog;
  /** Calls back after every write, in order; returns how to stop that. */
  subscribe(listener: (change: Change) => void): () => void;
}

/** How long a read waits for a version to come. Source: apiserver storage/cacher/watch_cache.go blockTimeout. */
const patienceMs = 3000;

/** An empty store. `now` is in milliseconds: the history forgets by age and by number. */
export function newStore(now: () => number): Store {
  const collections = new Map<string, ReturnType<typeof newCollection>>();
  const listeners = new Set<(change: Change) => void>();
  const log = newChangeLog(now);
  const waiting: Change[] = [];
  let revision = 0;
  const collectionOf = (kind: GroupKind) => {
    const name = kindName(kind);
    let found = collections.get(name);
    if (found === undefined) {
      found = newCollection();
      collections.set(name, found);
    }
    return found;
  };
  const publish = (change: Change): string => {
    log.add(change);
    waiting.push(change);
    // A listener may write: what it writes is told after this change.
    if (waiting.length === 1) {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        for (const listener of [...listeners]) listener(next);
        waiting.shift();
      }
    }
    return String(change.revision);
  };
  const write = (object: ValueMap, previous: ValueMap | undefined): string => {
    revision += 1;
    const kind = kindOf(object);
    const stored = withResourceVersion(object, revision);
    collectionOf(kind).set(keyOf(object), stored);
    return publish({ revision, kind: kindName(kind), key: keyOf(object), object: stored, previous });
  };
  const current = (object: ValueMap, expected: string): ValueMap | undefined => {
    const found = collectionOf(kindOf(object)).get(keyOf(object));
    return found !== undefined && stringAt(found, 'metadata', 'resourceVersion') === expected ? found : undefined;
  };
  return {
    log,
    find: (kind, namespace, name) => collectionOf(kind).get(`${namespace}/${name}`),
    list: (kind, namespace) => collectionOf(kind).list(namespace),
    revision: () => revision,
    listAt: (wanted, kind, namespace) => {
      if (wanted === revision) return collectionOf(kind).list(namespace);
      const changes = log.since(wanted);
      if (changes === undefined) return undefined;
      return collectionOf(kind).without(
        changes.filter(change => change.kind === kindName(kind)),
        namespace,
      );
    },
    reached: wanted =>
      new Promise(resolve => {
        const check = (): void => {
          if (revision < wanted) return;
          clearTimeout(timer);
          listeners.delete(check);
          resolve(true);
        };
        const timer = setTimeout(() => {
          listeners.delete(check);
          resolve(false);
        }, patienceMs);
        listeners.add(check);
      }),
    create: object => (collectionOf(kindOf(object)).get(keyOf(object)) === undefined ? write(object, undefined) : undefined),
    update: (object, expected) => {
      const previous = current(object, expected);
      return previous === undefined ? undefined : write(object, previous);
    },
    remove: (object, expected) => {
      const previous = current(object, expected);
      if (previous === undefined) return undefined;
      revision += 1;
      const kind = kindOf(object);
      collectionOf(kind).delete(keyOf(object));
      return publish({ revision, kind: kindName(kind), key: keyOf(object), object: undefined, previous });
    },
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** `group/Kind`: the name of a collection in changes. */
export function kindName(kind: GroupKind): string {
  const stored = storedKind(kind);
  return `${stored.group}/${stored.kind}`;
}

/** `namespace/name`, as changes name an object of a collection. */
export function keyOf(object: ValueMap): string {
  return `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}`;
}

/** The same object with another resourceVersion; shares the rest. */
export function withResourceVersion(object: ValueMap, revision: number): ValueMap {
  const metadata = new Map<string, Value>(mapAt(object, 'metadata') ?? []).set('resourceVersion', String(revision));
  return new Map<string, Value>(object).set('metadata', metadata);
}
