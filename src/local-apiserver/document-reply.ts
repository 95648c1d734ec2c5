import { wantsPretty } from '../apiserver/handlers/pretty.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { resourceNotFound } from '../kubernetes/status-errors.js';
import { readJsonData } from './data-file.js';
import { discoveryReply } from './discovery/discovery-reply.js';
import { healthReply } from './discovery/health.js';
import { type Discovered, discovered } from './discovery/served-groups.js';
import { versionDocument } from './discovery/version.js';
import { checkReadOnlyRoute } from './forms/negotiation.js';
import { headerOf, type Incoming, jsonReply, pathOf, type Reply } from './http/exchange.js';
import { writtenGroups } from './lifecycle/api-services.js';

/**
 * Answers paths whose documents depend on the state alone: discovery, OpenAPI, health, version. Undefined for others. Throws the 404, 405 and 406.
 * `address` is that of the endpoints of the `kubernetes` service, for clients outside of the cluster.
 */
export async function documentReply(request: Incoming, state: ClusterState, address = '192.0.2.2:6443'): Promise<Reply | undefined> {
  const path = pathOf(request);
  const single = versionReply(state.server, request, path) ?? healthReply(state.server, request);
  if (single !== undefined) return single;
  const found = discovered(state);
  if (path === '/' || path === '/index.html') return jsonReply(JSON.stringify({ paths: rootPaths(found) }, null, 2));
  if (path.startsWith('/openapi/')) return (await import('./discovery/openapi-reply.js')).openApiReply(request, found);
  const pretty = wantsPretty({ method: request.method, path: request.url, userAgent: headerOf(request, 'user-agent') });
  return discoveryReply(request, { found, written: state.live === undefined ? [] : writtenGroups(state.live), address, pretty });
}

/** The recorded paths, and those of the groups of definitions. */
function rootPaths({ groups, server }: Discovered): readonly string[] {
  const recorded = readJsonData<string[]>(server, 'root-paths.json');
  const served = groups
    .filter(({ group }) => group !== '')
    .flatMap(({ group, versions }) => ['', ...versions].map(version => `/apis/${group}${version === '' ? '' : `/${version}`}`));
  return [...new Set([...recorded, ...served])].sort();
}

function versionReply(server: ApiServer, request: Incoming, path: string): Reply | undefined {
  if (path !== '/version' && !path.startsWith('/version/')) return undefined;
  if (path !== '/version' && path !== '/version/') throw resourceNotFound();
  checkReadOnlyRoute(request, ['application/json']);
  return jsonReply(versionDocument(server));
}
