import { servedBy } from '../../apiserver/call/served-resources.js';
import { ensureMap, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { ResourceTable } from '../../kubernetes/resource-table.js';
import { kindOf } from '../../kubernetes/storage.js';

/** Metadata that the API server fills in. */
export interface StoredMetadata {
  readonly uid: () => string;
  readonly now: () => Date;
}

/** Returns the state of a cluster with these objects, as storage has it. The objects become part of the state and are changed. */
export function stateOf(
  objects: readonly ValueMap[],
  { server, options, presumesNamespaces, source }: Omit<ClusterState, 'objects'>,
  metadata: StoredMetadata,
): ClusterState {
  const state = { server, objects, presumesNamespaces, options, source };
  return { ...state, objects: asStored(objects, { served: servedBy(state), namespace: 'default' }, metadata) };
}

export interface StorageContext {
  readonly served: ResourceTable;
  /** Namespace of namespaced objects that name none. */
  readonly namespace: string;
}

/** Completes objects as storage has them: namespace, and metadata that the API server fills in. Manifests lack it, `kubectl get -o yaml` has it. */
export function asStored(objects: readonly ValueMap[], { served, namespace }: StorageContext, stored: StoredMetadata): ValueMap[] {
  if (objects.length === 0) return [];
  const namespaced = new Set(served.resources.filter(resource => resource.namespaced).map(({ kind }) => `${kind.group}/${kind.kind}`));
  return objects.map(object => {
    const { group, kind } = kindOf(object);
    const metadata = ensureMap(object, 'metadata');
    if (namespaced.has(`${group}/${kind}`) && stringAt(metadata, 'namespace') === '') metadata.set('namespace', namespace);
    fillIn(metadata, stored);
    if (kind === 'Namespace') completeNamespace(object);
    return object;
  });
}

function fillIn(metadata: ValueMap, { uid, now }: StoredMetadata): void {
  setMissing(metadata, 'uid', uid);
  setMissing(metadata, 'resourceVersion', () => '1');
  setMissing(metadata, 'creationTimestamp', () => `${now().toISOString().slice(0, 19)}Z`);
}

function completeNamespace(namespace: ValueMap): void {
  ensureMap(ensureMap(namespace, 'metadata'), 'labels').set('kubernetes.io/metadata.name', stringAt(namespace, 'metadata', 'name'));
  setMissing(ensureMap(namespace, 'spec'), 'finalizers', () => ['kubernetes']);
  setMissing(ensureMap(namespace, 'status'), 'phase', () => 'Active');
}

function setMissing(map: ValueMap, key: string, value: () => Value): void {
  if (!map.has(key)) map.set(key, value());
}
