import { createHash } from 'node:crypto';
import type { Resource, Subresource } from '../../kubernetes/resource-table.js';
import type { VersionDiscovery } from '../aggregator/version-discovery.js';
import { apiServiceGvk, byVersionPriority, type RegisteredVersion } from '../lifecycle/api-services.js';
import { verbsOf } from './legacy-documents.js';
import type { Discovered, DiscoveredResource } from './served-groups.js';

/** What the services of API services serve. */
export interface RemoteGroups {
  /** All versions that have an API service. */
  readonly registered: readonly RegisteredVersion[];
  /** Returns what a service serves, by the name of its API service. */
  readonly remoteVersionAt: (name: string) => VersionDiscovery | undefined;
}

interface Item {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly VersionDiscovery[];
}

/**
 * Returns the aggregated discovery of the core group (`/api`) or of all other groups (`/apis`). Source: apiserver
 * endpoints/discovery/aggregated.
 */
export function aggregatedDocument(found: Discovered, root: 'api' | 'apis', remote?: RemoteGroups): string {
  const groups = found.groups.filter(({ group }) => (group === '') === (root === 'api'));
  const items = groups.map(
    ({ group, versions }): Item => ({
      metadata: group === '' ? {} : { name: group },
      versions: versions.map(version => ({ version, resources: found.resourcesOf(group, version).map(resourceOf), freshness: 'Current' })),
    }),
  );
  const shown = root === 'api' || remote === undefined ? items : withRemote(items, remote);
  return JSON.stringify({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items: shown });
}

/** Adds the versions of services to those of this API server, and replaces the same ones; groups and versions are in the order of their priorities. */
function withRemote(items: readonly Item[], { registered, remoteVersionAt }: RemoteGroups): Item[] {
  const groups = new Map(items.map(({ metadata, versions }) => [metadata.name ?? '', versions]));
  for (const { name, group, version, isRemote } of registered) {
    if (!isRemote) continue;
    const others = (groups.get(group) ?? []).filter(known => known.version !== version);
    groups.set(group, [...others, remoteVersionAt(name) ?? { version, freshness: 'Stale' }]);
  }
  const priorityOf = (group: string): number =>
    group === apiServiceGvk.group
      ? highestPriority
      : Math.max(...registered.filter(each => each.group === group).map(each => each.groupPriority));
  const ordered = [...groups].sort(([a], [b]) => priorityOf(b) - priorityOf(a) || (a < b ? -1 : 1));
  return ordered.map(([group, versions]) => ({ metadata: { name: group }, versions: inOrder(group, versions, registered) }));
}

/** Source: kube-aggregator pkg/apiserver APIRegistrationGroupPriority. */
const highestPriority = 20_000;

function inOrder(group: string, versions: readonly VersionDiscovery[], registered: readonly RegisteredVersion[]): VersionDiscovery[] {
  const order = registered.filter(each => each.group === group).sort(byVersionPriority);
  const placeOf = ({ version }: VersionDiscovery): number => order.findIndex(each => each.version === version);
  return [...versions].sort((a, b) => placeOf(a) - placeOf(b));
}

/** Returns the ETag of a document; clients that have it get 304. */
export function etagOf(text: string): string {
  return `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`;
}

function resourceOf({ resource, definition }: DiscoveredResource): object {
  const { shortNames, categories, subresources } = resource;
  return {
    resource: resource.resource,
    responseKind: responseKind(resource.kind, resource),
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: verbsOf(resource, definition),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0 ? {} : { subresources: subresources.map(s => subresourceOf(s, resource)) }),
  };
}

function subresourceOf({ name, kind, verbs }: Subresource, resource: Resource): object {
  return { subresource: name, responseKind: responseKind(kind, resource), verbs };
}

/** Built-in groups omit the kind's own group and version. */
function responseKind({ group, version, kind }: Subresource['kind'], resource: Resource): object {
  const isOwn = group === resource.group && version === resource.version;
  return isOwn && !resource.custom ? { group: '', version: '', kind } : { group, version, kind };
}
