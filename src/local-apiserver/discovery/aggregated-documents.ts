import { createHash } from 'node:crypto';
import type { Resource, ServedGroup, Subresource } from '../../kubernetes/resource-table.js';
import { verbsOf } from './legacy-documents.js';
import type { Discovered, DiscoveredResource } from './served-groups.js';

/**
 * Returns the aggregated discovery of the core group (`/api`) or of all other groups (`/apis`). Source: apiserver
 * endpoints/discovery/aggregated.
 */
export function aggregatedDocument(found: Discovered, root: 'api' | 'apis', written: readonly ServedGroup[] = []): string {
  const groups = found.groups.filter(({ group }) => (group === '') === (root === 'api'));
  const items: object[] = groups.map(({ group, versions }) => ({
    metadata: group === '' ? {} : { name: group },
    versions: versions.map(version => ({
      version,
      resources: found.resourcesOf(group, version).map(resourceOf),
      freshness: 'Current',
    })),
  }));
  if (root === 'apis') items.push(...staleItems(found, written));
  return JSON.stringify({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items });
}

/** Versions of groups that nothing serves. */
function staleItems({ groups }: Discovered, written: readonly ServedGroup[]): object[] {
  const unknown = written.filter(({ group }) => !groups.some(served => served.group === group));
  return unknown.map(({ group, versions }) => ({
    metadata: { name: group },
    versions: versions.map(version => ({ version, freshness: 'Stale' })),
  }));
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
