import { type Encoding, mediaTypes } from '../apiserver/endpoints/negotiation.js';
import { wantsPretty } from '../apiserver/endpoints/pretty.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { memoize } from '../kubernetes/memoize.js';
import type { ServedGroup } from '../kubernetes/resource-table.js';
import { notAcceptable, resourceNotFound } from '../kubernetes/status-errors.js';
import { aggregatedDocument, etagOf, type RemoteGroups } from './discovery/aggregated-documents.js';
import { healthReply } from './discovery/health.js';
import { apiVersions, type DiscoveryDocument, groupDocument, groupList, resourceList } from './discovery/legacy-documents.js';
import type { RemoteDocuments } from './discovery/openapi-reply.js';
import { type Discovered, discovered } from './discovery/served-groups.js';
import { checkReadOnlyRoute, errorForm } from './forms/negotiation.js';
import { writtenDocument } from './forms/written-object.js';
import { type HttpReply, headerOfRequest, type Incoming, jsonReply, pathOfRequest } from './http/exchange.js';
import { apiServiceGvk, groupsOfVersions, registeredGroups, registeredVersions } from './lifecycle/api-services.js';
import { readData, readJsonData } from './recorded/data-file.js';

/**
 * Answers paths whose documents depend on the state alone: discovery, OpenAPI, health, version. Undefined for others. Throws the 404, 405 and 406.
 */
export async function answerDocument(
  request: Incoming,
  state: ClusterState,
  { address = '192.0.2.2:6443', remoteVersionAt = () => undefined, remoteOpenApi = () => new Map() }: Partial<Around> = {},
): Promise<HttpReply | undefined> {
  const path = pathOfRequest(request);
  const single = versionReply(state.server, request, path) ?? healthReply(state.server, request);
  if (single !== undefined) return single;
  const found = discovered(state);
  const registered = state.live === undefined ? [] : registeredVersions(state.live);
  const hasWritten = registered.some(({ isWritten }) => isWritten);
  const groups = hasWritten
    ? [...found.groups.filter(({ group }) => group === apiServiceGvk.group), ...groupsOfVersions(registered)]
    : withRegistered(found, state.live === undefined ? [] : registeredGroups(state.live));
  const listed = { ...found, groups };
  if (path === '/' || path === '/index.html') return jsonReply(JSON.stringify({ paths: rootPaths(listed) }, null, 2));
  if (path.startsWith('/openapi/')) return (await import('./discovery/openapi-reply.js')).openApiReply(request, found, remoteOpenApi());
  const pretty = wantsPretty({ method: request.method, path: request.url, userAgent: headerOfRequest(request, 'user-agent') });
  const remote = registered.some(({ isRemote }) => isRemote) ? { registered, remoteVersionAt } : undefined;
  return discoveryReply(request, { found, listed: groups, remote, address, pretty });
}

/** What documents depend on besides the state. */
interface Around {
  /** Of the endpoints of the `kubernetes` service, for clients outside of the cluster. */
  readonly address: string;
  readonly remoteVersionAt: RemoteGroups['remoteVersionAt'];
  readonly remoteOpenApi: () => RemoteDocuments;
}

/** The recorded paths, and those of the groups of definitions. */
function rootPaths({ groups, server }: Discovered): readonly string[] {
  const recorded = readJsonData<string[]>(server, 'root-paths.json');
  const served = groups
    .filter(({ group }) => group !== '')
    .flatMap(({ group, versions }) => ['', ...versions].map(version => `/apis/${group}${version === '' ? '' : `/${version}`}`));
  return [...new Set([...recorded, ...served])].sort();
}

function versionReply(server: ApiServer, request: Incoming, path: string): HttpReply | undefined {
  if (path !== '/version' && !path.startsWith('/version/')) return undefined;
  if (path !== '/version' && path !== '/version/') throw resourceNotFound();
  checkReadOnlyRoute(request, ['application/json']);
  return jsonReply(versionDocument(server));
}

/** Input of discovery. */
interface DiscoverySource {
  readonly found: Discovered;
  /** Served groups, and those of definitions that are not established. */
  readonly listed: readonly ServedGroup[];
  /** What the services of API services serve; undefined without such services. */
  readonly remote: RemoteGroups | undefined;
  readonly address: string;
  readonly pretty: boolean;
}

/** Returns the reply for a discovery path; undefined for other paths and for groups that are not served. Throws a 404, 405, 406 or 415. */
function discoveryReply(request: Incoming, { found, listed, remote, address, pretty }: DiscoverySource): HttpReply | undefined {
  const path = pathOfRequest(request);
  const [, root, group, version, ...rest] = path.replace(/\/$/, '').split('/');
  if ((root !== 'api' && root !== 'apis') || rest.length > 0) return undefined;
  const document = documentAt(root, [group, version], { found, groups: listed, address });
  if (document === undefined) return undefined;
  // The aggregator and the handler of custom resources answer every method.
  if (root === 'api' || (version !== undefined && !found.isCustom(group ?? ''))) checkDocumentRoute(request);
  const isAggregated = group === undefined && path !== '/apis/' && wantsAggregated(headerOfRequest(request, 'accept') ?? '');
  return isAggregated
    ? aggregatedReply(request, aggregatedDocument(found, root, remote))
    : negotiatedDocument(found.server, request, document, pretty);
}

function documentAt(
  root: string,
  [group, version]: readonly [string | undefined, string | undefined],
  { found, groups, address }: { readonly found: Discovered; readonly groups: readonly ServedGroup[]; readonly address: string },
): DiscoveryDocument | undefined {
  if (group === undefined) return root === 'api' ? apiVersions(address) : groupList({ groups });
  const isCore = root === 'api';
  if (version === undefined && !isCore) return groupDocument({ groups }, group);
  if (isCore && version !== undefined) return undefined;
  const list = isCore ? resourceList(found, '', group) : resourceList(found, group, version ?? '');
  const isOwnGroup = isCore || found.groups.some(g => g.group === group && !found.isCustom(group));
  const isAdded = isOwnGroup && found.resourcesOf(group, version ?? '').some(({ resource }) => resource.custom);
  if (list !== undefined && !isAdded) return list;
  if (isOwnGroup) throw resourceNotFound();
  return undefined;
}

/** Adds the versions of definitions, in their order, before the group's own ones; new groups come last, by name. */
function withRegistered({ groups: served, isCustom }: Discovered, registered: readonly ServedGroup[]): readonly ServedGroup[] {
  const added = new Map(registered.map(({ group, versions }) => [group, versions]));
  const merged = served.map(({ group, versions }) => {
    const first = added.get(group) ?? [];
    return { group, versions: [...first, ...versions.filter(version => !first.includes(version))] };
  });
  const others = registered.filter(({ group }) => !served.some(known => known.group === group));
  const custom = [...merged.filter(({ group }) => isCustom(group)), ...others];
  return [...merged.filter(({ group }) => !isCustom(group)), ...custom.sort((a, b) => (a.group < b.group ? -1 : 1))];
}

function aggregatedReply(request: Incoming, json: string): HttpReply {
  const body = `${json}\n`;
  const etag = etagOf(body);
  const headers: [string, string][] = [
    ['Cache-Control', 'public'],
    ['ETag', etag],
    ['Vary', 'Accept'],
  ];
  if (headerOfRequest(request, 'if-none-match') === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers: [...headers, ['Content-Type', aggregatedType]], body };
}

const formats: readonly Encoding[] = ['json', 'yaml', 'protobuf'];

/** Throws the router's 405, 415 or 406 for a discovery document with a route of its own. */
function checkDocumentRoute(request: Incoming): void {
  checkReadOnlyRoute(
    request,
    formats.map(format => mediaTypes[format]),
  );
}

/** Returns a discovery document in a form that the client accepts. Throws a 406. */
function negotiatedDocument(server: ApiServer, request: Incoming, { json, kind }: DiscoveryDocument, pretty: boolean): HttpReply {
  const accept = headerOfRequest(request, 'accept') ?? '';
  const form = errorForm(accept, formats);
  if (form === undefined) throw notAcceptable(formats.map(format => mediaTypes[format]));
  const body = writtenDocument(server, json, kind, form.format, pretty || form.pretty);
  return { status: 200, headers: [['Content-Type', mediaTypes[form.format]]], body };
}

const aggregated = { as: 'APIGroupDiscoveryList', g: 'apidiscovery.k8s.io', v: 'v2' };

/** Reports whether the client prefers aggregated discovery. Source: apiserver endpoints/discovery/aggregated/wrapper.go. */
function wantsAggregated(accept: string): boolean {
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim());
    const isAggregated = Object.entries(aggregated).every(([key, value]) => parameters.includes(`${key}=${value}`));
    if (isAggregated && (type === 'application/json' || type === 'application/*' || type === '*/*')) return true;
    if (!parameters.some(parameter => parameter.startsWith('as='))) return false;
  }
  return false;
}

/** Media type of aggregated discovery. */
const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Version information of the reproduced kube-apiserver. */
const versionDocument = memoize((server: ApiServer) => readData(server, 'version.json').toString('utf8'));
