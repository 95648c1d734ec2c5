import type { ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { resourcesOfDefinition } from '../../kubernetes/definition-resources.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import { memoize } from '../../kubernetes/memoize.js';
import {
  builtInResources,
  type Resource,
  type ResourceTable,
  type ServedGroup,
  type Subresource,
} from '../../kubernetes/resource-table.js';
import type { ApiServerOptions } from '../../kubernetes/server-options.js';
import type { StatusError } from '../../kubernetes/status.js';
import { failure, methodNotAllowed, notFound, resourceNotFound } from '../../kubernetes/status-errors.js';
import { compareVersions } from '../../kubernetes/version-order.js';
import { definitionsIn, definitionsOf } from './definitions.js';
import { PageNotFound } from './page-not-found.js';
import type { ResourceRequest } from './request-info.js';

/** Resources that an API server with these flags and definitions serves. */
export interface Served {
  readonly groups: readonly ServedGroup[];
  readonly resources: readonly Resource[];
}

/** Endpoint of a request. */
export interface ServedEndpoint {
  readonly resource: Resource;
  readonly subresource: Subresource | undefined;
  readonly verb: Verb;
}

export type Verb = 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'get' | 'list' | 'connect';

/** Returns the built-in resources by the options, then those of the state's definitions. */
export function servedBy(state: ClusterState): Served {
  return state.live === undefined ? servedOf(state.server)(state.options)(state.objects) : servedLive(state);
}

/** Many calls have the same objects, but each its own state. */
const servedOf = memoize((server: ApiServer) =>
  memoize((options: ApiServerOptions) =>
    memoize((objects: ClusterState['objects']) => servedWith(servedResources(server, options), definitionsIn(objects))),
  ),
);

const servedLive = memoize((state: ClusterState) => servedWith(servedResources(state.server, state.options), definitionsOf(state)));

/** Definitions may add versions to a built-in group, before its own, but no resources to these. Source: kube-aggregator, by the priorities of APIServices. */
function servedWith(table: ResourceTable, definitions: readonly ValueMap[]): Served {
  const ownVersions = new Map(table.groups.map(({ group, versions }) => [group, versions]));
  const custom = definitions.flatMap(resourcesOfDefinition).filter(r => ownVersions.get(r.group)?.includes(r.version) !== true);
  if (custom.length === 0) return table;
  const added = new Map([...new Set(custom.map(r => r.group))].map(group => [group, versionsOf(custom.filter(r => r.group === group))]));
  const own = table.groups.map(({ group, versions }) => ({ group, versions: [...(added.get(group) ?? []), ...versions] }));
  const others = [...added].filter(([group]) => !ownVersions.has(group)).map(([group, versions]) => ({ group, versions }));
  return { groups: [...own, ...others], resources: [...table.resources, ...custom] };
}

/** Returns the versions of a group of custom resources, in the server's order of preference. */
function versionsOf(resources: readonly Resource[]): string[] {
  return [...new Set(resources.map(r => r.version))].sort(compareVersions);
}

/** Returns the endpoint of a request; throws the API server's 404 or 405 when there is none. */
export function endpointFor(method: string, info: ResourceRequest, served: Served): ServedEndpoint {
  const resource = resourceNamed(served, info);
  const isOwnGroup = (resource === undefined || resource.custom) && builtInGroups(served).has(info.group);
  // Requests for a built-in group reach its handler, which has no routes of custom resources.
  if (isOwnGroup) throw resourceNotFound();
  if (resource === undefined) throw new PageNotFound();
  const subresource = info.subresource === '' ? undefined : resource.subresources.find(s => s.name === info.subresource);
  if (resource.custom) checkCustomRoute(method, info, resource);
  else checkRoute(info, resource, subresource);
  if (info.subresource !== '' && subresource === undefined) throw resource.custom ? notFound(resource, info.name) : resourceNotFound();
  if (info.watches && method !== 'GET') throw methodNotAllowed();
  const verb = verbOf(method, info, subresource);
  const allowed = subresource?.verbs ?? resource.verbs;
  if (verb === undefined || !isAllowed(method, verb, { resource, subresource, allowed }))
    throw verb !== undefined && resource.custom ? methodNotSupported(resource, verb) : methodNotAllowed();
  if (!resource.custom && resource.namespaced && !info.inNamespace && verb !== 'list') throw methodNotAllowed();
  return { resource, subresource, verb };
}

/** Returns the resource of this group, version and plural name; of several the first one, which is served. */
export function resourceNamed(served: Served, name: GroupVersionResource): Resource | undefined {
  return byName(served).get(nameOf(name));
}

/** Returns the first resource of a kind. */
export function resourceOfKind({ resources }: Served, { group, version, kind }: GroupVersionKind): Resource | undefined {
  return resources.find(({ kind: served }) => served.group === group && served.version === version && served.kind === kind);
}

const byName = memoize(
  ({ resources }: Served): ReadonlyMap<string, Resource> => new Map(resources.toReversed().map(resource => [nameOf(resource), resource])),
);

/** Returns the groups that the API server serves itself; others have no paths but those of their resources. */
export const builtInGroups = memoize(
  ({ resources }: Served): ReadonlySet<string> => new Set(resources.filter(resource => !resource.custom).map(({ group }) => group)),
);

/** Throws a 404 for paths without a route: built-in resources have one route per path. Source: apiserver endpoints/installer.go. */
function checkRoute({ inNamespace, name, rest, subresource: named }: ResourceRequest, resource: Resource, subresource?: Subresource): void {
  const { namespaced, verbs } = resource;
  const isRouted = namespaced ? inNamespace || (name === '' && verbs.includes('list')) : !inNamespace;
  const hasItems = name === '' || named !== '' || itemVerbs.some(verb => verbs.includes(verb));
  const isTooLong = named !== '' && subresource?.name !== 'proxy' && rest.replace(/\/$/, '') !== '';
  if (!isRouted || !hasItems || isTooLong || (namespaced && !inNamespace && named !== '')) throw resourceNotFound();
}

/** Verbs whose paths name an object. */
const itemVerbs = ['get', 'update', 'patch', 'delete'];

/**
 * Checks a request for a custom resource: one handler serves them and only checks the scope. Source: apiextensions-apiserver
 * pkg/apiserver/customresource_handler.go.
 */
function checkCustomRoute(method: string, info: ResourceRequest, resource: Resource): void {
  const lists = info.name === '' && (method === 'GET' || method === 'HEAD');
  if (resource.namespaced !== info.inNamespace && (info.inNamespace || !lists)) throw new PageNotFound();
}

function isAllowed(
  method: string,
  verb: Verb,
  at: { readonly resource: Resource; readonly subresource: Subresource | undefined; readonly allowed: readonly string[] },
): boolean {
  if (verb === 'connect') return at.subresource?.name === 'proxy' ? proxied.has(method) : method === 'GET' || method === 'POST';
  // Only the custom resource handler treats HEAD as GET.
  return at.allowed.includes(verb) && (method !== 'HEAD' || at.resource.custom);
}

/** Source: kubernetes pkg/registry/core/pod/rest/subresources.go proxyMethods. */
const proxied = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** Returns the 405 of custom resource endpoints. Source: apimachinery api/errors NewMethodNotSupported. */
function methodNotSupported({ group, resource }: Resource, verb: Verb): StatusError {
  const message = `${verb} is not supported on resources of kind "${resource}.${group}"`;
  return failure({ code: 405, reason: 'MethodNotAllowed', message, details: { group, kind: resource } });
}

/** Subresources whose methods are all CONNECT. */
const connectSubresources = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** Reports whether the subresource is a connection (a stream or proxy), not an object. */
export function isConnect(subresource: Subresource | undefined): boolean {
  return subresource !== undefined && connectSubresources.has(subresource.name);
}

function verbOf(method: string, { name }: ResourceRequest, subresource: Subresource | undefined): Verb | undefined {
  if (isConnect(subresource)) return 'connect';
  const named = name !== '';
  if (method === 'POST') return named && subresource === undefined ? undefined : 'create';
  if (method === 'PUT') return named ? 'update' : undefined;
  if (method === 'PATCH') return named ? 'patch' : undefined;
  if (method === 'DELETE') return named ? 'delete' : 'deletecollection';
  if (method === 'GET' || method === 'HEAD') return named ? 'get' : 'list';
  return undefined;
}

/**
 * Returns the resources served with these options: `--runtime-config` enables and disables versions by stability (`api/beta=true`) or one by
 * one (`apps/v1=false`). Source: apiserver server/resourceconfig/helpers.go.
 */
function servedResources(server: ApiServer, { runtimeConfig: settings }: ApiServerOptions): ResourceTable {
  if (settings.size === 0) return builtInResources(server, 'default');
  const all = builtInResources(server, 'all');
  const isDefault = new Set(builtInResources(server, 'default').resources.map(nameOf));
  const resources = all.resources.filter(r => (isOn(r, settings) ?? isDefault.has(nameOf(r))) && isInstalled(server, r));
  const served = new Set(resources.map(r => `${r.group}/${r.version}`));
  const groups = all.groups.map(({ group, versions }) => ({ group, versions: versions.filter(v => served.has(`${group}/${v}`)) }));
  return { groups: groups.filter(g => g.versions.length > 0), resources };
}

function isInstalled(server: ApiServer, { group, resource }: Resource): boolean {
  const gate = server.gateOfResource(`${resource}.${group}`);
  return gate === undefined || server.isEnabled(gate);
}

/** Returns the most specific setting; undefined if none applies. */
function isOn({ group, version, resource }: Resource, settings: ReadonlyMap<string, boolean>): boolean | undefined {
  const own = `${group === '' ? '' : `${group}/`}${version}`;
  return settings.get(`${own}/${resource}`) ?? settings.get(own) ?? settings.get(stability(version)) ?? settings.get('api/all');
}

function stability(version: string): string {
  if (version.includes('alpha')) return 'api/alpha';
  return version.includes('beta') ? 'api/beta' : 'api/ga';
}

function nameOf({ group, version, resource }: Pick<Resource, 'group' | 'version' | 'resource'>): string {
  return `${group}/${version}/${resource}`;
}

/** Returns the gate without which a resource, `resource.group`, is not installed; undefined if it always is. */
type GateOfResource = (name: string) => string | undefined;

declare module '../../kubernetes/api-server.js' {
  interface ApiServer {
    /** Source: kubernetes pkg/registry, the rest packages of the groups. */
    readonly gateOfResource: GateOfResource;
  }
}
