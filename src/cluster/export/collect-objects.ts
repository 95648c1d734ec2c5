import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { parseApiVersion } from '../../kubernetes/group-version.js';
import { labelsOf, selectorOf, selects } from '../../kubernetes/label-selector.js';
import type { GroupKind } from '../../kubernetes/live-storage.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { ClusterClient } from '../http/cluster-client.js';
import { builtInResource } from '../reading/built-in-resource.js';
import { resourcesRead } from '../reading/definitions.js';
import { isSecret, readList, readObject } from '../reading/read-objects.js';
import { configurationKinds, definitionKind, policyKinds, readKinds, wholeNamespaces } from '../reading/whole-kinds.js';

/** Namespaces whose objects are collected: one, all, or those that webhooks and policies can concern. */
export type ExportScope = { readonly namespace: string } | 'all' | 'concerned';

/** Objects of a cluster, and what was left out. */
export interface Collected {
  readonly objects: readonly ValueMap[];
  readonly warnings: readonly string[];
}

const rbac = 'rbac.authorization.k8s.io';

const clusterKinds: readonly GroupKind[] = [
  { group: rbac, kind: 'ClusterRole' },
  { group: rbac, kind: 'ClusterRoleBinding' },
  { group: 'scheduling.k8s.io', kind: 'PriorityClass' },
  { group: 'node.k8s.io', kind: 'RuntimeClass' },
  { group: 'storage.k8s.io', kind: 'StorageClass' },
  { group: 'networking.k8s.io', kind: 'IngressClass' },
];

const namespacedKinds: readonly GroupKind[] = [
  { group: '', kind: 'LimitRange' },
  { group: '', kind: 'ResourceQuota' },
  { group: '', kind: 'ServiceAccount' },
  { group: rbac, kind: 'Role' },
  { group: rbac, kind: 'RoleBinding' },
];

/** Reads the objects of a cluster that affect admission, except stored objects. Rejects with CliError before anything is returned. */
export async function collectObjects(server: ApiServer, client: ClusterClient, scope: ExportScope): Promise<Collected> {
  const [deciding, definitions, namespaces, ofCluster] = await Promise.all([
    readKinds(server, client, [...configurationKinds, ...policyKinds]),
    readKinds(server, client, [definitionKind]),
    readNamespaces(server, client, scope),
    readKinds(server, client, clusterKinds),
  ]);
  const isIncluded = inScope(server, scope, namespaces, deciding);
  const [inNamespaces, services, parameters] = await Promise.all([
    readKinds(server, client, namespacedKinds, typeof scope === 'object' ? scope.namespace : undefined),
    Promise.all(servicesIn([...deciding, ...definitions]).map(at => readObject(client, serviceResource(server), at))),
    readParameters(server, client, deciding, definitions),
  ]);
  return {
    objects: [
      ...[...deciding, ...definitions, ...namespaces],
      ...ofCluster.filter(object => !isBootstrap(object)),
      ...inNamespaces.filter(isIncluded),
      ...services.filter(service => service !== undefined),
      ...parameters.objects,
    ],
    warnings: parameters.warnings,
  };
}

async function readNamespaces(server: ApiServer, client: ClusterClient, scope: ExportScope): Promise<ValueMap[]> {
  if (typeof scope !== 'object') return readKinds(server, client, [wholeNamespaces]);
  const resource = builtInResource(server, wholeNamespaces);
  const found = resource === undefined ? undefined : await readObject(client, resource, { namespace: '', name: scope.namespace });
  return found === undefined ? [] : [found];
}

function inScope(
  server: ApiServer,
  scope: ExportScope,
  namespaces: readonly ValueMap[],
  deciding: readonly ValueMap[],
): (object: ValueMap) => boolean {
  if (scope !== 'concerned') return () => true;
  const selectors = deciding.flatMap(namespaceSelectors).map(value => selectorOf(server, value));
  const concerned = namespaces.filter(namespace => selectors.some(selector => selects(selector, labelsOf(namespace)))).map(nameOf);
  return object => concerned.includes(stringAt(object, 'metadata', 'namespace'));
}

/** Selectors of webhooks and policies; one that is missing selects every namespace. */
function namespaceSelectors(object: ValueMap): Value[] {
  const webhooks = listAt(object, 'webhooks');
  if (webhooks.length > 0) return webhooks.map(webhook => valueAt(webhook, 'namespaceSelector') ?? new Map());
  return object.has('spec') && valueAt(object, 'spec', 'policyName') === undefined
    ? [valueAt(object, 'spec', 'matchConstraints', 'namespaceSelector') ?? new Map()]
    : [];
}

/**
 * Reports whether every API server creates this role or binding: no file is needed for it. The binding of the administrators is kept, because it shows that the cluster uses RBAC.
 */
function isBootstrap(object: ValueMap): boolean {
  const isDefault = labelsOf(object).get('kubernetes.io/bootstrapping') === 'rbac-defaults';
  return isDefault && nameOf(object) !== 'cluster-admin';
}

/** Services that webhook configurations and definitions name. */
function servicesIn(objects: readonly ValueMap[]): { readonly namespace: string; readonly name: string }[] {
  const clients = objects.flatMap(object => [
    ...listAt(object, 'webhooks').map(webhook => mapAt(webhook, 'clientConfig', 'service')),
    mapAt(object, 'spec', 'conversion', 'webhook', 'clientConfig', 'service'),
  ]);
  const named = clients.filter(isMap).map(service => [stringAt(service, 'namespace'), stringAt(service, 'name')] as const);
  return [...new Map(named.map(([namespace, name]) => [`${namespace}/${name}`, { namespace, name }])).values()];
}

function serviceResource(server: ApiServer): Resource {
  const resource = builtInResource(server, { group: '', kind: 'Service' });
  if (resource === undefined) throw new Error('every API server serves services');
  return resource;
}

/** Objects of the kinds that policies take their parameters from. Secrets are never read. */
async function readParameters(
  server: ApiServer,
  client: ClusterClient,
  deciding: readonly ValueMap[],
  definitions: readonly ValueMap[],
): Promise<Collected> {
  const kinds = deciding.map(object => mapAt(object, 'spec', 'paramKind')).filter(isMap);
  const distinct = new Map(kinds.map(kind => [`${stringAt(kind, 'apiVersion')}/${stringAt(kind, 'kind')}`, kind]));
  const resources = [...distinct.values()].flatMap(kind => resourceOf(server, kind, definitions) ?? []);
  const read = await Promise.all(resources.filter(resource => !isSecret(resource)).map(resource => readList(client, resource)));
  const hasSecrets = resources.some(isSecret);
  return { objects: read.flat(), warnings: hasSecrets ? ['policies take parameters from Secrets, which are left out'] : [] };
}

function resourceOf(server: ApiServer, kind: ValueMap, definitions: readonly ValueMap[]): Resource | undefined {
  const group = parseApiVersion(stringAt(kind, 'apiVersion'))?.group;
  if (group === undefined) return undefined;
  const groupKind = { group, kind: stringAt(kind, 'kind') };
  return builtInResource(server, groupKind) ?? resourcesRead(definitions, groupKind);
}

function nameOf(object: ValueMap): string {
  return stringAt(object, 'metadata', 'name');
}
