import { queryOfRequest } from '../../apiserver/call/request-info.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';
import { type HttpReply, type Incoming, pathOfRequest, plainReply } from '../http/exchange.js';
import { readJsonData } from '../recorded/data-file.js';

const endpoints = ['healthz', 'livez', 'readyz'] as const;
type Endpoint = (typeof endpoints)[number];

/** Names of the checks. */
const recordedChecks = memoize((server: ApiServer) => readJsonData<Record<Endpoint, readonly string[]>>(server, 'health-checks.json'));

/** Returns the checks by name, each with an endpoint that includes it. */
export function healthChecks(server: ApiServer): { readonly name: string; readonly type: Endpoint }[] {
  const checks = recordedChecks(server);
  const all = endpoints.flatMap(type => checks[type].map(name => ({ name, type })));
  return all.sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));
}

/**
 * Returns the reply for `/healthz`, `/livez`, `/readyz` and their individual checks; undefined for other paths. All checks always pass.
 * Source: apiserver server/healthz.
 */
export function healthReply(server: ApiServer, request: Incoming): HttpReply | undefined {
  const match = /^\/(healthz|livez|readyz)(?:\/(.+))?$/.exec(pathOfRequest(request));
  if (match === null) return undefined;
  const endpoint = match[1] as Endpoint;
  const checks = recordedChecks(server)[endpoint];
  const single = match[2];
  if (single !== undefined) {
    if (!checks.includes(single)) return undefined;
    return { status: 200, headers: [['Content-Type', 'text/plain; charset=utf-8']], body: 'ok' };
  }
  const query = queryOfRequest(request.url);
  if (!query.has('verbose')) return plainReply(200, 'ok');
  const excluded = query.get('exclude') ?? [];
  const unknown = excluded.filter(name => !checks.includes(name));
  const lines = checks.map(name => `[+]${name}${excluded.includes(name) ? ' excluded:' : ''} ok`);
  const warning =
    unknown.length === 0
      ? []
      : [`warn: some health checks cannot be excluded: no matches for ${unknown.map(name => JSON.stringify(name)).join(', ')}`];
  return plainReply(200, `${[...lines, ...warning, `${endpoint} check passed`].join('\n')}\n`);
}
