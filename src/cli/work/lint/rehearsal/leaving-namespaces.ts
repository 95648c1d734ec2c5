import { writeValue } from '../../../../go/json/write.js';
import { copyOf, ensureMap, listAt, stringAt, type ValueMap } from '../../../../go/value.js';
import type { Resource } from '../../../../kubernetes/resource-table.js';
import { kindOf } from '../../../../kubernetes/storage.js';
import { compareVersions } from '../../../../kubernetes/version-order.js';
import { controller } from '../../../../lint/outage/outage-step.js';
import type { Obstacle, RehearsalUnit } from '../../../../lint/rehearsal/rehearsal.js';
import { collectionPathOf } from './object-calls.js';
import type { RehearsedCluster } from './rehearsed-cluster.js';
import { removePods } from './workload-steps.js';

const namespaceKind = { group: '', kind: 'Namespace' };
const user = controller('namespace-controller');

/**
 * Deletes the contents of Namespaces that are being deleted, and those that are empty. The order of a cluster is random; here workloads are
 * first, which is the worst one. Returns why Namespaces stay, by name, as their conditions tell it. Source: kubernetes
 * pkg/controller/namespace/deletion/namespaced_resources_deleter.go.
 */
export async function finishNamespaces(cluster: RehearsedCluster, units: readonly RehearsalUnit[]): Promise<ReadonlyMap<string, Obstacle>> {
  const obstacles = new Map<string, Obstacle>();
  for (const namespace of cluster.store.list(namespaceKind)) {
    if (stringAt(namespace, 'metadata', 'deletionTimestamp') === '') continue;
    const obstacle = await finishNamespace(namespace, cluster, units);
    if (obstacle !== undefined) obstacles.set(stringAt(namespace, 'metadata', 'name'), obstacle);
  }
  return obstacles;
}

async function finishNamespace(
  namespace: ValueMap,
  cluster: RehearsedCluster,
  units: readonly RehearsalUnit[],
): Promise<Obstacle | undefined> {
  const name = stringAt(namespace, 'metadata', 'name');
  const workloads = units.filter(({ kind, objects: [first] }) => kind === 'workload' && stringAt(first, 'metadata', 'namespace') === name);
  for (const { objects } of workloads) for (const object of objects) await deleteCollectionOf(object, name, cluster);
  for (const unit of workloads) await removePods(unit, cluster);
  const failures: Obstacle[] = [];
  for (const object of firstOfEachKind(contentsOf(name, cluster))) {
    const failure = await deleteCollectionOf(object, name, cluster);
    if (failure !== undefined) failures.push(failure);
  }
  const [failure] = failures;
  if (failure !== undefined)
    return {
      ...failure,
      message: `NamespaceDeletionContentFailure: Failed to delete all resource types, ${failures.length} remaining: ${failure.message}`,
    };
  const [left] = contentsOf(name, cluster);
  if (left !== undefined) return remaining(left, cluster);
  const finalized = copyOf(cluster.store.find(namespaceKind, '', name) ?? namespace);
  ensureMap(finalized, 'spec').set('finalizers', []);
  const body = Buffer.from(writeValue(finalized, 'kept'));
  return cluster.send({ method: 'PUT', path: `/api/v1/namespaces/${name}/finalize`, contentType: 'application/json', body, user });
}

/** Deletes the objects of a kind in the preferred version, as discovery tells it. */
async function deleteCollectionOf(object: ValueMap, namespace: string, cluster: RehearsedCluster): Promise<Obstacle | undefined> {
  const resource = preferredResourceOf(object, cluster);
  if (resource === undefined) return undefined;
  const refusal = await cluster.send({ method: 'DELETE', path: collectionPathOf(resource, namespace), user });
  // A watch cache, which is not here, has the objects converted: their deletion fails, not their list.
  const at = refusal?.message.indexOf('conversion webhook for') ?? -1;
  return refusal === undefined || at < 0 ? refusal : { ...refusal, message: refusal.message.slice(at) };
}

function preferredResourceOf(object: ValueMap, cluster: RehearsedCluster): Resource | undefined {
  const served = cluster.resourceOf(object);
  if (served === undefined || !served.custom) return served;
  const versions = cluster.resourcesNamed(served);
  return [...versions].sort((a, b) => compareVersions(a.version, b.version))[0];
}

function remaining(object: ValueMap, cluster: RehearsedCluster): Obstacle {
  const resource = cluster.resourceOf(object);
  const named = `${resource?.resource ?? kindOf(object).kind}.${resource?.group ?? ''}`;
  const [finalizer] = listAt(object, 'metadata', 'finalizers').map(String);
  if (finalizer === undefined)
    return { message: `NamespaceContentRemaining: Some resources are remaining: ${named} has 1 resource instances` };
  return {
    message: `NamespaceFinalizersRemaining: Some content in the namespace has finalizers remaining: ${finalizer} in 1 resource instances`,
    finalizersOf: named,
  };
}

function contentsOf(namespace: string, { store }: RehearsedCluster): ValueMap[] {
  return [...store.contents().collections.values()].flat().filter(object => stringAt(object, 'metadata', 'namespace') === namespace);
}

function firstOfEachKind(objects: readonly ValueMap[]): readonly ValueMap[] {
  return [...new Map(objects.map(object => [`${kindOf(object).group}/${kindOf(object).kind}`, object])).values()];
}
