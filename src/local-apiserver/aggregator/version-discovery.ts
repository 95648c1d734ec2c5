import { isMap, listAt, mapAt, stringAt, toValue, type Value, valueAt } from '../../go/value.js';

/** What aggregated discovery says of one version. Keys are in the order in which they are written. */
export interface VersionDiscovery {
  readonly version: string;
  readonly resources?: readonly object[];
  readonly freshness: 'Current' | 'Stale';
}

/** Returns a version of a group in an `APIGroupDiscoveryList`; undefined if it is not there. Throws for text that is not JSON. */
export function versionIn(text: string, group: string, version: string): VersionDiscovery | undefined {
  const named = listAt(toValue(JSON.parse(text)), 'items').filter(item => stringAt(item, 'metadata', 'name') === group);
  const found = named.flatMap(item => listAt(item, 'versions')).findLast(item => stringAt(item, 'version') === version);
  return found === undefined ? undefined : versionOf(version, listAt(found, 'resources').map(publishedResource));
}

/**
 * Returns a version from its `APIResourceList`. Throws for text that is not JSON, and for a subresource with another scope than its resource. Source: apiserver
 * endpoints/installer.go ConvertGroupVersionIntoToDiscovery.
 */
export function versionOfResources(text: string, version: string): VersionDiscovery {
  const listed = listAt(toValue(JSON.parse(text)), 'resources');
  const resources = new Map<string, { readonly scope: string; readonly own: object; readonly subresources: object[] }>();
  for (const resource of listed) {
    const name = stringAt(resource, 'name');
    if (!name.includes('/')) resources.set(name, { scope: scopeOf(resource), own: convertedResource(name, resource), subresources: [] });
  }
  for (const resource of listed) {
    const [parent = '', ...rest] = stringAt(resource, 'name').split('/');
    if (rest.length === 0) continue;
    const scope = scopeOf(resource);
    const known = resources.get(parent) ?? { scope, own: convertedResource(parent, undefined, scope), subresources: [] };
    if (known.scope !== scope) throw new Error(`${parent} and ${stringAt(resource, 'name')} have different scopes`);
    known.subresources.push({ subresource: rest.join('/'), responseKind: publishedKind(resource), verbs: verbsOf(resource) });
    resources.set(parent, known);
  }
  const all = [...resources.values()].map(({ own, subresources }) => ({ ...own, ...(subresources.length === 0 ? {} : { subresources }) }));
  return versionOf(version, all);
}

function versionOf(version: string, resources: readonly object[]): VersionDiscovery {
  return { version, ...(resources.length === 0 ? {} : { resources }), freshness: 'Current' };
}

function scopeOf(resource: Value): string {
  return isMap(resource) && resource.get('namespaced') === true ? 'Namespaced' : 'Cluster';
}

function convertedResource(name: string, resource: Value | undefined, scope = scopeOf(resource ?? null)): object {
  return {
    resource: name,
    responseKind: publishedKind(resource),
    scope,
    singularResource: stringAt(resource, 'singularName'),
    verbs: verbsOf(resource),
    ...namesOf(resource),
  };
}

function publishedResource(resource: Value): object {
  const subresources = listAt(resource, 'subresources').map(publishedSubresource);
  return {
    resource: stringAt(resource, 'resource'),
    responseKind: publishedKind(mapAt(resource, 'responseKind')),
    scope: stringAt(resource, 'scope'),
    singularResource: stringAt(resource, 'singularResource'),
    verbs: verbsOf(resource),
    ...namesOf(resource),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

function publishedSubresource(subresource: Value): object {
  const acceptedTypes = listAt(subresource, 'acceptedTypes').map(publishedKind);
  return {
    subresource: stringAt(subresource, 'subresource'),
    responseKind: publishedKind(mapAt(subresource, 'responseKind')),
    ...(acceptedTypes.length === 0 ? {} : { acceptedTypes }),
    verbs: verbsOf(subresource),
  };
}

/** A kind that is missing is written, too: old clients need it. */
function publishedKind(kind: Value | undefined): object {
  return { group: stringAt(kind, 'group'), version: stringAt(kind, 'version'), kind: stringAt(kind, 'kind') };
}

function verbsOf(resource: Value | undefined): readonly string[] | null {
  return Array.isArray(valueAt(resource, 'verbs')) ? textsAt(resource, 'verbs') : null;
}

function namesOf(resource: Value | undefined): object {
  const [shortNames, categories] = [textsAt(resource, 'shortNames'), textsAt(resource, 'categories')];
  return { ...(shortNames.length === 0 ? {} : { shortNames }), ...(categories.length === 0 ? {} : { categories }) };
}

function textsAt(resource: Value | undefined, key: string): readonly string[] {
  return listAt(resource, key).filter(text => typeof text === 'string');
}
