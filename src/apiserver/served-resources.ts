import type { ClusterState } from '../kubernetes/api-call.js';
import { resourcesOfDefinition } from '../kubernetes/definition-resources.js';
import { remembered } from '../kubernetes/remembered.js';
import type { Resource, ServedGroup, Subresource } from '../kubernetes/resource-table.js';
import type { StatusError } from '../kubernetes/status.js';
import { failure, notFound } from '../kubernetes/status-errors.js';
import { compareVersions } from '../kubernetes/version-order.js';
import { definitionsOf } from './definitions.js';
import { PageNotFound } from './page-not-found.js';
import type { ResourceRequest } from './request-info.js';
import { resourcesByFlags } from './runtime-config.js';

/** What an API server with these flags and definitions serves. */
export interface Served {
  readonly groups: readonly ServedGroup[];
  readonly resources: readonly Resource[];
}

/** The endpoint a request reaches. */
export interface Endpoint {
  readonly resource: Resource;
  readonly subresource: Subresource | undefined;
  readonly verb: Verb;
}

export type Verb = 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'get' | 'list' | 'connect';

/** Built-in resources by the flags, then those of the state's definitions. Many calls are made in one state: they are gathered once. */
export const servedBy: (state: ClusterState) => Served = remembered(state => {
  const table = resourcesByFlags(state.flags);
  const custom = definitionsOf(state).flatMap(resourcesOfDefinition);
  if (custom.length === 0) return table;
  const groups = [...new Set(custom.map(r => r.group))].map(group => ({
    group,
    versions: versionsOf(custom.filter(r => r.group === group)),
  }));
  return { groups: [...table.groups, ...groups], resources: [...table.resources, ...custom] };
});

/** Versions of a group of custom resources, in the server's order of preference. */
function versionsOf(resources: readonly Resource[]): string[] {
  return [...new Set(resources.map(r => r.version))].sort(compareVersions);
}

/** The endpoint of a request; throws the 404 or 405 the API server answers when there is none. */
export function endpointFor(method: string, info: ResourceRequest, served: Served): Endpoint {
  const resource = served.resources.find(r => r.group === info.group && r.version === info.version && r.resource === info.resource);
  if (resource === undefined) throw isBuiltInGroup(info.group, served) ? resourceNotFound() : new PageNotFound();
  if (resource.namespaced && !info.inNamespace && info.name === '' && !readMethods.has(method))
    throw resource.custom ? new PageNotFound() : methodNotAllowed();
  if (resource.namespaced !== info.inNamespace && (info.inNamespace || needsNamespace(method, info))) throw resourceNotFound();
  const subresource = info.subresource === '' ? undefined : resource.subresources.find(s => s.name === info.subresource);
  if (info.subresource !== '' && subresource === undefined) throw resource.custom ? notFound(resource, info.name) : resourceNotFound();
  const verb = verbOf(method, info, subresource);
  const allowed = subresource?.verbs ?? resource.verbs;
  if (verb === undefined || (verb !== 'connect' && !allowed.includes(verb)))
    throw verb !== undefined && resource.custom ? methodNotSupported(resource, verb) : methodNotAllowed();
  return { resource, subresource, verb };
}

const readMethods = new Set(['GET', 'HEAD']);

/** Paths below other groups are those of definitions alone. */
function isBuiltInGroup(group: string, { groups, resources }: Served): boolean {
  return groups.some(g => g.group === group) && !resources.some(r => r.group === group && r.custom);
}

function resourceNotFound(): StatusError {
  return failure({ code: 404, reason: 'NotFound', message: 'the server could not find the requested resource', details: {} });
}

function methodNotAllowed(): StatusError {
  return failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}

/** How the endpoints of definitions say it. Source: apimachinery api/errors NewMethodNotSupported. */
function methodNotSupported({ group, resource }: Resource, verb: Verb): StatusError {
  const message = `${verb} is not supported on resources of kind "${resource}.${group}"`;
  return failure({ code: 405, reason: 'MethodNotAllowed', message, details: { group, kind: resource } });
}

/** Subresources whose every method is CONNECT. */
const connectSubresources = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** Is this subresource a stream to somewhere else, not an object? */
export function isConnect(subresource: Subresource | undefined): boolean {
  return subresource !== undefined && connectSubresources.has(subresource.name);
}

/** A namespaced resource without a namespace is served for lists over all namespaces (and a POST there is a 405). */
function needsNamespace(method: string, info: ResourceRequest): boolean {
  return info.name !== '' || (method !== 'GET' && method !== 'HEAD' && method !== 'POST' && method !== 'DELETE');
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
