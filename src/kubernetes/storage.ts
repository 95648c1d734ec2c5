import { stringAt, toValue, type Value, type ValueMap } from '../go/value.js';
import type { ClusterState } from './api-call.js';
import type { ApiServer } from './api-server.js';
import { type GroupVersionKind, parseApiVersion } from './group-version.js';
import type { LiveStorage } from './live-storage.js';
import { memoize } from './memoize.js';
import type { WrittenObjects, WrittenRow } from './written-objects.js';

/** Stored objects during one call: those of the state, and those that a fresh API server creates for itself. */
export interface Storage {
  readonly server: ApiServer;
  /** True for the storage of a server, where an IPAddress exists for every address of a service. */
  readonly isLive?: true;
  /** Returns the object of a group and kind (in any version: one object has one identity); undefined if there is none. */
  find(kind: { readonly group: string; readonly kind: string }, namespace: string, name: string): ValueMap | undefined;
  /** Returns all objects of a group and kind in the state's order, of one namespace or of all if it is undefined. */
  list(kind: { readonly group: string; readonly kind: string }, namespace?: string): ValueMap[];
  /** Adds an object for the rest of the call. */
  add(object: ValueMap): void;
}

const bootstrapNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Returns the storage of a state. Objects of the state replace bootstrap objects of the same name. */
export function storageOf(state: ClusterState): Storage {
  if (state.live !== undefined) return liveStorage(state.server, state.live);
  const { server, written, source } = state;
  const existing = source === undefined ? indexOf(state.objects) : indexWithoutBootstrap(state.objects);
  const added = new Map<string, Row>();
  return {
    server,
    find: (kind, namespace, name) => {
      const row = keyOfKind(storedKind(kind));
      const key = keyOfName(namespace, name);
      const changed = written?.row(row).get(key);
      if (changed !== undefined) return changed ?? undefined;
      const known = existing.get(row)?.get(key) ?? added.get(row)?.get(key);
      return known ?? (source === undefined ? implied(kind, namespace, name) : source.find(kind, namespace, name));
    },
    list: (kind, namespace) => {
      const row = keyOfKind(storedKind(kind));
      const others = source?.list(kind, namespace) ?? [];
      const known = others.length === 0 ? existing.get(row) : rowWith(existing.get(row), others);
      const stored = withWrites(known, written?.row(row));
      const all = [...stored, ...(added.get(row)?.values() ?? [])];
      return namespace === undefined ? all : all.filter(object => namespaceOf(object) === namespace);
    },
    add: object => {
      if (!existing.get(keyOfKind(groupKindOf(object)))?.has(keyOfObject(object))) addTo(added, object);
    },
  };
}

/** Returns the storage of a server. Added objects exist during this call only. */
function liveStorage(server: ApiServer, live: LiveStorage): Storage {
  const added = new Map<string, Row>();
  return {
    server,
    isLive: true,
    find: (kind, namespace, name) =>
      live.find(kind, namespace, name) ?? added.get(keyOfKind(storedKind(kind)))?.get(keyOfName(namespace, name)),
    list: (kind, namespace) => [...live.list(kind, namespace), ...(added.get(keyOfKind(storedKind(kind)))?.values() ?? [])],
    add: object => addTo(added, object),
  };
}

/** Records that an object was written by a call of the run. */
export function recordWrite(written: WrittenObjects, object: ValueMap): void {
  written.set(keyOfKind(groupKindOf(object)), keyOfObject(object), object);
}

/** Records that an object was removed by a call of the run. */
export function recordRemoval(
  written: WrittenObjects,
  kind: { readonly group: string; readonly kind: string },
  { namespace, name }: { readonly namespace: string; readonly name: string },
): void {
  written.set(keyOfKind(storedKind(kind)), keyOfName(namespace, name), null);
}

function withWrites(row: Row | undefined, writes: WrittenRow | undefined): ValueMap[] {
  if (writes === undefined || writes.size === 0) return [...(row?.values() ?? [])];
  const objects: ValueMap[] = [];
  for (const [key, object] of row ?? []) {
    const changed = writes.get(key);
    if (changed !== null) objects.push(changed ?? object);
  }
  for (const [key, object] of writes) if (object !== null && row?.has(key) !== true) objects.push(object);
  return objects;
}

/** Objects of a kind by namespace and name, in the state's order. */
type Row = Map<string, ValueMap>;

/** Many calls share one state: its objects are indexed once. */
const indexOf = memoize((objects: readonly ValueMap[]): ReadonlyMap<string, Row> => {
  const index = new Map<string, Row>();
  for (const object of [...objects, ...bootstrapObjects()]) addTo(index, object);
  return index;
});

/** A cluster has all objects of its own. */
const indexWithoutBootstrap = memoize((objects: readonly ValueMap[]): ReadonlyMap<string, Row> => {
  const index = new Map<string, Row>();
  for (const object of objects) addTo(index, object);
  return index;
});

/** Adds objects whose names are not taken. */
function rowWith(row: Row | undefined, others: readonly ValueMap[]): Row {
  const all = new Map(row);
  for (const object of others) if (!all.has(keyOfObject(object))) all.set(keyOfObject(object), object);
  return all;
}

/** The first object of a name is kept. */
function addTo(index: Map<string, Row>, object: ValueMap): void {
  const kind = keyOfKind(groupKindOf(object));
  const row = index.get(kind) ?? new Map<string, ValueMap>();
  const name = keyOfObject(object);
  if (!row.has(name)) row.set(name, object);
  index.set(kind, row);
}

/** Returns the key of a kind, as `storedKind` returns it. */
export function keyOfKind({ group, kind }: { group: string; kind: string }): string {
  return `${group}/${kind}`;
}

function keyOfObject(object: ValueMap): string {
  return keyOfName(namespaceOf(object), nameOf(object));
}

/** Returns the key of an object among those of its kind. */
export function keyOfName(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

/** Returns the kind that an object declares. */
export function kindOf(object: ValueMap): GroupVersionKind {
  const groupVersion = parseApiVersion(stringAt(object, 'apiVersion')) ?? { group: '', version: '' };
  return { ...groupVersion, kind: stringAt(object, 'kind') };
}

function groupKindOf(object: ValueMap): { group: string; kind: string } {
  return storedKind(kindOf(object));
}

/** Returns the kind under which an object is stored: events are one resource in two groups. */
export function storedKind({ group, kind }: { group: string; kind: string }): { group: string; kind: string } {
  return kind === 'Event' && group === 'events.k8s.io' ? { group: '', kind } : { group, kind };
}

function nameOf(object: ValueMap): string {
  return stringAt(object, 'metadata', 'name');
}

function namespaceOf(object: ValueMap): string {
  return stringAt(object, 'metadata', 'namespace');
}

/** Each namespace has the service account `default`, as a cluster's controllers would create it. */
function implied(kind: { group: string; kind: string }, namespace: string, name: string): ValueMap | undefined {
  if (kind.group !== '' || kind.kind !== 'ServiceAccount' || name !== 'default' || namespace === '') return undefined;
  const metadata: ValueMap = new Map([
    ['name', name],
    ['namespace', namespace],
  ]);
  return new Map<string, Value>([
    ['kind', 'ServiceAccount'],
    ['apiVersion', 'v1'],
    ['metadata', metadata],
  ]);
}

function bootstrapObjects(): ValueMap[] {
  const namespaces = bootstrapNamespaces.map(name => ({
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }));
  const classes = [
    { name: 'system-cluster-critical', value: 2_000_000_000 },
    { name: 'system-node-critical', value: 2_000_001_000 },
  ].map(({ name, value }) => ({
    kind: 'PriorityClass',
    apiVersion: 'scheduling.k8s.io/v1',
    metadata: { name, generation: 1 },
    value,
    preemptionPolicy: 'PreemptLowerPriority',
  }));
  return [...namespaces, ...classes].map(objectOf);
}

function objectOf(data: Record<string, unknown>): ValueMap {
  return toValue(data) as ValueMap;
}
