import type { ProxyLocation } from '../../apiserver/report/serving.js';
import { hostInUrl, joinHostPort } from '../../go/net/host-port.js';
import { escapeUrl } from '../../go/url/escape.js';
import { pathOfUrl } from '../../go/url/parse.js';
import type { BackendCall, BackendResponse } from '../../kubernetes/backend-call.js';
import { serviceUnavailable, unknownError } from '../../kubernetes/status-errors.js';
import { asksForUpgrade, readBody, receivedHeaders, unreachable, withoutEnding } from '../aggregator/pass-on.js';
import { forwardedFor, hopByHop, keptHeaders, namedByConnection } from '../aggregator/request-headers.js';
import type { Cluster } from '../cluster/cluster.js';
import { type HttpReply, headerOfRequest, type Incoming, pathOfRequest } from '../http/exchange.js';
import { joinPreservingSlash, movedInside, type ProxyPrefix } from './proxied-urls.js';

type Field = readonly [name: string, value: string];
type Parts = Pick<Cluster, 'callBackend' | 'forwards' | 'requestHeaders'>;

/**
 * Passes an admitted request on to a pod or node, and returns its answer. Throws the error for the client. Source: apimachinery pkg/util/proxy upgradeaware.go,
 * transport.go.
 */
export async function passToLocation(location: ProxyLocation, request: Incoming, parts: Parts): Promise<HttpReply> {
  const { callBackend } = parts;
  if (callBackend === undefined)
    throw serviceUnavailable('error trying to reach service: this API server does not connect to pods and nodes');
  // Go's URL parser refuses the name of a port, and the handler does not survive that.
  if (!/^\d*$/.test(location.port)) return { status: 0, headers: [], body: '' };
  const [asked, query] = splitTarget(request);
  const path = withSlashOf(asked, joinPreservingSlash('', location.path));
  const target: Target = { location, path: path === '' ? '/' : path, query, address: addressOf(location, parts) };
  if (asksForUpgrade(request)) {
    const { tryUpgrade } = await import('../aggregator/pass-upgrade-on.js');
    const reply = await tryUpgrade(callOf(request, { ...target, query: '' }, upgradeHeaders(request, parts)), callBackend);
    if ('failure' in reply) throw unknownError(reply.failure);
    return reply;
  }
  if (path === '' && (request.method === 'GET' || request.method === 'HEAD'))
    return { status: 301, headers: [['Location', `${asked}/${query}`]], body: '' };
  const before = asked.slice(0, asked.endsWith(path) ? asked.length - path.length : undefined);
  const prefix = { path: before, host: hostOf(request), at: hostAt(location) };
  const answer = await callBackend({
    ...callOf(request, target, headersOf(request, target, { prefix, parts })),
    body: await readBody(request),
  });
  if (answer.outcome === 'failed') throw serviceUnavailable(unreachable(answer));
  return buildReply(answer, prefix, request.method === 'HEAD');
}

interface Target {
  readonly location: ProxyLocation;
  /** Decoded, not empty. */
  readonly path: string;
  /** With its question mark; empty without a query. */
  readonly query: string;
  readonly address: BackendCall['address'];
}

/** Returns the decoded path and the query with its question mark. */
function splitTarget(request: Incoming): readonly [path: string, query: string] {
  const path = pathOfRequest(request);
  const query = request.url.slice(path.length);
  return [pathOfUrl(path).path, query === '?' ? '' : query];
}

/** A request for a folder stays one. */
function withSlashOf(asked: string, path: string): string {
  return asked.endsWith('/') && !path.endsWith('/') ? `${path}/` : path;
}

/** Returns where a location is connected to: at the address to which the user leads the port of the pod. */
function addressOf({ scheme, address, port, pod }: ProxyLocation, { forwards }: Parts): BackendCall['address'] {
  const at = port === '' ? (scheme === 'https' ? 443 : 80) : Number(port);
  return (pod === undefined ? undefined : forwards?.get(`${pod}:${at}`)) ?? { host: address, port: at };
}

function hostAt({ address, port }: ProxyLocation): string {
  return port === '' ? hostInUrl(address) : joinHostPort(address, port);
}

function callOf(request: Incoming, { location, path, query, address }: Target, header: readonly Field[]): BackendCall {
  return {
    method: request.method,
    url: `${location.scheme}://${hostAt(location)}${escapeUrl(path, 'path')}${query}`,
    header,
    body: undefined,
    address,
    serverName: location.address,
    caBundle: undefined,
    insecureSkipVerify: true,
    isAnonymous: true,
    hostHeader: hostOf(request),
  };
}

function hostOf(request: Incoming): string {
  return headerOfRequest(request, ':authority') ?? headerOfRequest(request, 'host') ?? '';
}

function headersOf(
  request: Incoming,
  { path }: Target,
  { prefix, parts }: { readonly prefix: ProxyPrefix; readonly parts: Parts },
): Field[] {
  const ended = new Set([...hopByHop, ...namedByConnection(request), 'X-Forwarded-Uri']);
  const hasTrailers = request.headers.some(([name, value]) => name === 'te' && /(?:^|,)\s*trailers\s*(?:,|$)/i.test(value));
  return [
    ...passedHeaders(request, parts).filter(([name]) => !ended.has(name)),
    ...(hasTrailers ? [['Te', 'trailers'] as const] : []),
    ['X-Forwarded-Uri', joinPreservingSlash(prefix.path, escapeUrl(path, 'path'))],
  ];
}

function upgradeHeaders(request: Incoming, parts: Parts): Field[] {
  const kept = passedHeaders(request, parts);
  return kept.some(([name]) => name === 'User-Agent') ? kept : [...kept, ['User-Agent', 'Go-http-client/1.1']];
}

function passedHeaders(request: Incoming, { requestHeaders }: Parts): Field[] {
  const auditId = headerOfRequest(request, 'audit-id');
  return [
    ...keptHeaders({ request, requestHeaders }),
    ...(auditId === undefined ? [] : [['Audit-Id', auditId] as const]),
    ...forwardedFor(request),
  ];
}

async function buildReply(answer: BackendResponse, prefix: ProxyPrefix, isHead: boolean): Promise<HttpReply> {
  const received = receivedHeaders(answer);
  const headerNamed = (wanted: string): string => received.find(([name]) => name === wanted)?.[1] ?? '';
  const headers = withoutEnding(received);
  const passedOn = { read: answer.read, release: answer.release };
  const reply = { status: answer.statusCode, body: '' };
  const location = headerNamed('Location');
  if (location !== '') {
    const moved = movedInside(location, prefix);
    if (typeof moved !== 'string') {
      answer.release();
      throw moved;
    }
    return { ...reply, headers: headers.map(([name, value]) => [name, name === 'Location' ? moved : value]), passedOn };
  }
  const encoding = headerNamed('Content-Encoding');
  if (headerNamed('Content-Type').split(';', 1)[0]?.trim() !== 'text/html' || !['', 'gzip', 'deflate'].includes(encoding))
    return { ...reply, headers, passedOn };
  const { rewritePage } = await import('./rewrite-page.js');
  const page = await rewritePage(answer, { encoding, prefix, isHead });
  return { ...reply, headers: [...headers.filter(([name]) => name !== 'Content-Length'), ...page.headers], passedOn: page.passedOn };
}
