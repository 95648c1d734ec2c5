import path from 'node:path/posix';
import { encodeByteString } from '../../go/byte-string.js';
import { canonicalHeaderName } from '../../go/header-name.js';
import { escapeUrl } from '../../go/url/escape.js';
import { pathOfUrl } from '../../go/url/parse.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { RequestHeaders } from '../access/request-headers.js';
import type { Incoming } from '../http/exchange.js';
import { namesUser, userHeaders } from './user-headers.js';

type Field = readonly [name: string, value: string];

/** Request that is passed on. */
export interface PassedRequest {
  readonly request: Incoming;
  readonly user: UserInfo;
  readonly auditId: string | undefined;
  /** `10.0.0.7:443` */
  readonly host: string;
  /** Headers of an authenticating proxy, which are not passed on. */
  readonly requestHeaders: RequestHeaders | undefined;
}

/**
 * Returns the headers of a request as they are passed on: those of its user in place of its credentials, without those of one connection. Source: kube-aggregator
 * pkg/apiserver/handler_proxy.go, apimachinery util/proxy, Go net/http/httputil ReverseProxy.
 */
export function passedHeaders(passed: PassedRequest): Field[] {
  const { request, host } = passed;
  const ended = new Set([...hopByHop, ...namedByConnection(request)]);
  const kept = keptHeaders(passed).filter(([name]) => !ended.has(name) && !forwarded.test(name));
  const hasTrailers = request.headers.some(([name, value]) => name === 'te' && /(?:^|,)\s*trailers\s*(?:,|$)/i.test(value));
  const written = pathOfUrl(request.url.split('?', 1)[0] ?? '').path;
  return [
    ...kept,
    ...(hasTrailers ? [['Te', 'trailers'] as const] : []),
    ...ownHeaders(passed),
    ['X-Forwarded-Uri', path.normalize(escapeUrl(written, 'path'))],
    ['X-Forwarded-Host', host],
    ['X-Forwarded-Proto', 'https'],
  ];
}

/** Returns the headers of a request for another protocol as they are passed on. Source: apimachinery util/proxy upgradeaware.go tryUpgrade. */
export function passedUpgradeHeaders(passed: PassedRequest): Field[] {
  const kept = keptHeaders(passed);
  const hasAgent = kept.some(([name]) => name === 'User-Agent');
  return [...kept, ...(hasAgent ? [] : [['User-Agent', 'Go-http-client/1.1'] as const]), ...ownHeaders(passed)];
}

/** Source: Go net/http/httputil hopHeaders. */
export const hopByHop: readonly string[] = [
  'Connection',
  'Proxy-Connection',
  'Keep-Alive',
  'Proxy-Authenticate',
  'Proxy-Authorization',
  'Te',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
];

const forwarded = /^X-Forwarded-(?:Uri|Host|Proto)$/;

/** Returns the names that a header `Connection` lists. */
export function namedByConnection({ headers }: Pick<Incoming, 'headers'>): string[] {
  const listed = headers.filter(([name]) => name.toLowerCase() === 'connection').flatMap(([, value]) => value.split(','));
  return listed.map(name => canonicalHeaderName(name.trim()));
}

/** Credentials end here, as does what the connection to this API server needs. */
const ending = /^(?:authorization|host|content-length|expect|http2-settings|impersonate-.*|x-forwarded-for|audit-id)$/;

/** Returns the headers that the other server gets as they came. */
export function keptHeaders({ request, requestHeaders }: Pick<PassedRequest, 'request' | 'requestHeaders'>): Field[] {
  const { usernameHeaders = [], groupHeaders = [], uidHeaders = [], extraPrefixes = [] } = requestHeaders ?? {};
  const own = new Set([...usernameHeaders, ...groupHeaders, ...uidHeaders].map(name => name.toLowerCase()));
  const isOwn = (name: string): boolean => own.has(name) || extraPrefixes.some(prefix => name.startsWith(prefix.toLowerCase()));
  return request.headers
    .filter(([name]) => !name.startsWith(':') && !ending.test(name) && !namesUser(name) && !isOwn(name))
    .map(([name, value]) => [canonicalHeaderName(name), encodeByteString(name === 'sec-websocket-protocol' ? withoutToken(value) : value)]);
}

/** Source: apiserver authentication/request/websocket/protocol.go. */
function withoutToken(protocols: string): string {
  const named = protocols.split(',').map(text => text.trim());
  const others = named.filter(text => !text.startsWith('base64url.bearer.authorization.k8s.io.'));
  return others.length === named.length ? protocols : others.join(',');
}

function ownHeaders({ request, user, auditId }: PassedRequest): Field[] {
  const audit = auditId === undefined ? [] : [['Audit-Id', auditId] as const];
  return [...audit, ...userHeaders(user), ...forwardedFor(request)];
}

/** Returns the header that names the clients, this API server's last. */
export function forwardedFor(request: Incoming): Field[] {
  const earlier = request.headers.filter(([name]) => name === 'x-forwarded-for').map(([, value]) => value);
  const client = request.remoteAddress?.replace(/^::ffff:/, '');
  const hops = [...earlier, ...(client === undefined ? [] : [client])].join(', ');
  return hops === '' ? [] : [['X-Forwarded-For', hops]];
}
