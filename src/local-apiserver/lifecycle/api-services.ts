import { quote } from '../../go/quote.js';
import { copyOf, ensureMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { ServedGroup } from '../../kubernetes/resource-table.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { compareVersions } from '../../kubernetes/version-order.js';
import { kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';
import { conditionFields } from './condition-fields.js';

/** Kind of the objects that name what serves a version. */
export const apiServiceGvk = { group: 'apiregistration.k8s.io', kind: 'APIService' };
/** Label of API services that the API server writes. */
export const automanaged = 'kube-aggregator.kubernetes.io/automanaged';

const serviceKind = { group: '', kind: 'Service' };
const sliceKind = { group: 'discovery.k8s.io', kind: 'EndpointSlice' };
const followed = new Set([apiServiceGvk, serviceKind, sliceKind].map(kindName));

/**
 * Keeps the condition `Available` of API services that have a service. They are never available: nothing is passed on to services. Source:
 * kube-aggregator pkg/controllers/status/remote.
 */
export function followApiServices(store: Store, now: () => Date): void {
  store.subscribe(({ collection, object }) => {
    if (!followed.has(collection)) return;
    if (collection !== kindName(apiServiceGvk)) for (const apiService of store.list(apiServiceGvk)) settle(apiService, store, now);
    else if (object !== undefined) settle(store.find(apiServiceGvk, '', stringAt(object, 'metadata', 'name')), store, now);
  });
}

/** Returns groups and versions of API services that users wrote, which are in discovery even if nothing serves them. */
export function writtenGroups(store: Pick<Store, 'list'>): ServedGroup[] {
  const groups = new Map<string, string[]>();
  for (const apiService of store.list(apiServiceGvk)) {
    if (stringAt(apiService, 'metadata', 'labels', automanaged) !== '') continue;
    const group = stringAt(apiService, 'spec', 'group');
    groups.set(group, [...(groups.get(group) ?? []), stringAt(apiService, 'spec', 'version')]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([group, versions]) => ({ group, versions: versions.sort() }));
}

/** Returns groups and versions that definitions serve, established or not: they are listed for as long as they have an API service. */
export function registeredGroups(store: Pick<Store, 'list'>): ServedGroup[] {
  const groups = new Map<string, string[]>();
  for (const apiService of store.list(apiServiceGvk)) {
    if (stringAt(apiService, 'metadata', 'labels', automanaged) !== 'true') continue;
    const group = stringAt(apiService, 'spec', 'group');
    groups.set(group, [...(groups.get(group) ?? []), stringAt(apiService, 'spec', 'version')]);
  }
  return [...groups].map(([group, versions]) => ({ group, versions: versions.sort(compareVersions) }));
}

/** Returns the API service that a path belongs to, if it has a service. */
export function remoteApiServiceAt(store: Pick<Store, 'find'>, path: string): ValueMap | undefined {
  const [, group, version] = /^\/apis\/([^/]+)\/([^/]+)/.exec(path) ?? [];
  if (group === undefined || version === undefined) return undefined;
  const found = store.find(apiServiceGvk, '', `${version}.${group}`);
  return mapAt(found, 'spec', 'service') === undefined ? undefined : found;
}

interface Unavailable {
  readonly reason: string;
  readonly message: string;
}

function settle(apiService: ValueMap | undefined, store: Store, now: () => Date): void {
  if (apiService === undefined || mapAt(apiService, 'spec', 'service') === undefined) return;
  const problem = problemOf(apiService, store);
  const before = listAt(apiService, 'status', 'conditions');
  const old = before.find(condition => stringAt(condition, 'type') === 'Available');
  if (stringAt(old, 'reason') === problem.reason && stringAt(old, 'message') === problem.message) return;
  const time = stringAt(old, 'status') === 'False' ? stringAt(old, 'lastTransitionTime') : timestampOf(now());
  const written = toValue({ type: 'Available', status: 'False', lastTransitionTime: time, ...problem });
  const changed = copyOf(apiService);
  ensureMap(changed, 'status').set('conditions', [...before.filter(condition => condition !== old), written]);
  ensureMap(changed, 'metadata').set('managedFields', [...otherOwners(changed), statusOwner(timestampOf(now()))]);
  store.update(changed, stringAt(apiService, 'metadata', 'resourceVersion'));
}

function otherOwners(apiService: ValueMap): Value[] {
  return listAt(apiService, 'metadata', 'managedFields').filter(
    entry => stringAt(entry, 'manager') !== 'kube-apiserver' || stringAt(entry, 'subresource') !== 'status',
  );
}

function statusOwner(time: string): Value {
  return toValue({
    manager: 'kube-apiserver',
    operation: 'Update',
    apiVersion: 'apiregistration.k8s.io/v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:status': { 'f:conditions': { '.': {}, ...conditionFields('Available') } } },
    subresource: 'status',
  });
}

function problemOf(apiService: ValueMap, store: Store): Unavailable {
  const [namespace, name] = ['namespace', 'name'].map(key => stringAt(apiService, 'spec', 'service', key)) as [string, string];
  const written = valueAt(mapAt(apiService, 'spec', 'service'), 'port');
  const port = typeof written === 'bigint' ? written : 443n;
  const named = `service/${name} in ${quote(namespace)}`;
  const service = store.find(serviceKind, namespace, name);
  if (service === undefined) return { reason: 'ServiceNotFound', message: `${named} is not present` };
  const type = stringAt(service, 'spec', 'type');
  if (type === '' || type === 'ClusterIP') {
    const found = listAt(service, 'spec', 'ports').find(entry => valueAt(entry, 'port') === port);
    if (found === undefined) return { reason: 'ServicePortError', message: `${named} is not listening on port ${port}` };
    const slices = store
      .list(sliceKind, namespace)
      .filter(slice => stringAt(slice, 'metadata', 'labels', 'kubernetes.io/service-name') === name);
    if (slices.length === 0) return { reason: 'EndpointsNotFound', message: `cannot find endpointslices for ${named}` };
    const portName = stringAt(found, 'name');
    if (!slices.some(slice => isReady(slice, portName)))
      return { reason: 'MissingEndpoints', message: `endpointslices for ${named} have no addresses with port name ${quote(portName)}` };
  }
  const path = `/apis/${stringAt(apiService, 'spec', 'group')}/${stringAt(apiService, 'spec', 'version')}`;
  const url = `https://${name}.${namespace}.svc:${port}${path}`;
  return { reason: 'FailedDiscoveryCheck', message: `failing or missing response from ${url}: nothing is passed on to services` };
}

function isReady(slice: ValueMap, portName: string): boolean {
  const hasAddress = listAt(slice, 'endpoints').some(endpoint => valueAt(mapAt(endpoint, 'conditions'), 'ready') !== false);
  return hasAddress && listAt(slice, 'ports').some(port => stringAt(port, 'name') === portName && valueAt(port, 'port') !== null);
}
