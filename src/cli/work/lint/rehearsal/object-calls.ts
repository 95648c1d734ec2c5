import { writeValue } from '../../../../go/json/write.js';
import { copyOf, ensureMap, listAt, mapAt, stringAt, type ValueMap } from '../../../../go/value.js';
import type { ApiCall } from '../../../../kubernetes/api-call.js';
import { isDefinition } from '../../../../kubernetes/definition-resources.js';
import type { Resource } from '../../../../kubernetes/resource-table.js';
import type { Obstacle } from '../../../../lint/rehearsal/rehearsal.js';
import type { RehearsedCluster } from './rehearsed-cluster.js';

/** Returns `/apis/example.com/v1/namespaces/shop/boats`. */
export function collectionPathOf({ group, version, resource, namespaced }: Resource, namespace: string): string {
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? `/namespaces/${namespace}` : ''}/${resource}`;
}

/** Creates an object of a file, if it does not exist. */
export async function createRehearsed(object: ValueMap, cluster: RehearsedCluster): Promise<Obstacle | undefined> {
  if (storedObject(object, cluster) !== undefined) return undefined;
  const resource = cluster.resourceOf(object);
  if (resource === undefined)
    return { message: `no matches for kind "${stringAt(object, 'kind')}" in version "${stringAt(object, 'apiVersion')}"` };
  const body = Buffer.from(writeValue(createdForm(object), 'kept'));
  const path = collectionPathOf(resource, namespaceIn(object));
  const refusal = await cluster.send({ method: 'POST', path, contentType: 'application/json', body });
  if (isDefinition(object)) await cluster.settleDefinitions();
  return refusal;
}

/** Deletes an object as kubectl does, if it exists. */
export async function deleteRehearsed(object: ValueMap, cluster: RehearsedCluster): Promise<Obstacle | undefined> {
  const stored = storedObject(object, cluster);
  const resource = cluster.resourceOf(object);
  if (stored === undefined || resource === undefined || stringAt(stored, 'metadata', 'deletionTimestamp') !== '') return undefined;
  const body = Buffer.from('{"propagationPolicy":"Background"}');
  return cluster.send({ method: 'DELETE', path: pathOfObject(resource, object), contentType: 'application/json', body });
}

/** Removes the finalizers of an object that is being deleted, as the user of a call. */
export function removeFinalizers(object: ValueMap, cluster: RehearsedCluster, user: Pick<ApiCall, 'user'>): Promise<Obstacle | undefined> {
  const resource = cluster.resourceOf(object);
  if (resource === undefined) return Promise.resolve(undefined);
  const body = Buffer.from('{"metadata":{"finalizers":null}}');
  return cluster.send({
    method: 'PATCH',
    path: pathOfObject(resource, object),
    contentType: 'application/merge-patch+json',
    body,
    ...user,
  });
}

/** Returns the stored form of an object; undefined if it does not exist. */
export function storedObject(object: ValueMap, { store, resourceOf }: RehearsedCluster): ValueMap | undefined {
  const kind = resourceOf(object)?.kind;
  const isNamespaced = resourceOf(object)?.namespaced ?? false;
  return kind === undefined ? undefined : store.find(kind, isNamespaced ? namespaceIn(object) : '', stringAt(object, 'metadata', 'name'));
}

function pathOfObject(resource: Resource, object: ValueMap): string {
  return `${collectionPathOf(resource, namespaceIn(object))}/${encodeURIComponent(stringAt(object, 'metadata', 'name'))}`;
}

function namespaceIn(object: ValueMap): string {
  return stringAt(object, 'metadata', 'namespace') || 'default';
}

/** The caBundle that a tool injects is not in the way: with it a definition may not be established, and here nothing is sent. */
function createdForm(object: ValueMap): ValueMap {
  const copy = copyOf(object);
  for (const key of ['resourceVersion', 'uid', 'creationTimestamp', 'managedFields']) ensureMap(copy, 'metadata').delete(key);
  if (isDefinition(copy)) mapAt(copy, 'spec', 'conversion', 'webhook', 'clientConfig')?.delete('caBundle');
  for (const webhook of listAt(copy, 'webhooks')) mapAt(webhook, 'clientConfig')?.delete('caBundle');
  return copy;
}
