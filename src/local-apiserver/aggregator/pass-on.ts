import { requestLimitMs } from '../../apiserver/endpoints/request-limit.js';
import { filterBody } from '../../apiserver/filters/deadlines.js';
import { decodeByteString } from '../../go/byte-string.js';
import { canonicalHeaderName } from '../../go/header-name.js';
import { escapeUrl } from '../../go/url/escape.js';
import { parseUrl, pathOfUrl, UrlError } from '../../go/url/parse.js';
import { queryOfUrl, urlText } from '../../go/url/url.js';
import type { ValueMap } from '../../go/value.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { BackendCall, BackendFailure, BackendResponse, CallBackend } from '../../kubernetes/backend-call.js';
import { hasTrueCondition } from '../../kubernetes/definition-resources.js';
import type { RequestHeaders } from '../access/request-headers.js';
import { type HttpReply, headerOfRequest, type Incoming, pathOfRequest, plainReply } from '../http/exchange.js';
import { type Backend, type ResolverParts, resolveBackend, serviceOf } from './backend-service.js';
import { hopByHop, namedByConnection, passedHeaders, passedUpgradeHeaders } from './request-headers.js';

/** What passes requests on. */
export interface Passing extends ResolverParts {
  readonly callBackend: CallBackend;
  readonly requestHeaders: RequestHeaders | undefined;
  /** Time for the response to begin; that of the request by default. */
  readonly deadlineMs?: number;
}

/** An authorized request for the path of an APIService. */
export interface ForBackend {
  readonly request: Incoming;
  readonly user: UserInfo;
  readonly auditId: string | undefined;
}

/** Passes a request on to the service of an APIService, if it is available. Source: kube-aggregator pkg/apiserver/handler_proxy.go. */
export async function passOn(apiService: ValueMap, given: ForBackend, passing: Passing): Promise<HttpReply> {
  return hasTrueCondition(apiService, 'Available') ? passRequestOn(apiService, given, passing) : unavailable();
}

/** Passes a request on to the service of an APIService, even if it is not available. */
export async function passRequestOn(apiService: ValueMap, given: ForBackend, passing: Passing): Promise<HttpReply> {
  const service = serviceOf(apiService);
  const backend = service === undefined ? '' : resolveBackend(apiService, service, passing);
  if (typeof backend === 'string') return unavailable();
  const { request } = given;
  const passed = { ...given, host: backend.host, requestHeaders: passing.requestHeaders };
  const url = `https://${backend.host}${targetOf(request.url)}`;
  if (asksForUpgrade(request)) {
    const { passUpgradeOn } = await import('./pass-upgrade-on.js');
    return passUpgradeOn(callOf(request, url, backend, passedUpgradeHeaders(passed)), passing.callBackend);
  }
  const call = {
    ...callOf(request, url, backend, passedHeaders(passed)),
    body: await readBody(request),
    deadlineMs: passing.deadlineMs ?? deadlineOf(request),
  };
  const answer = await passing.callBackend(call);
  if (answer.outcome === 'answered') return replyOf(answer, url);
  if (answer.message === late && call.deadlineMs !== discoveryMs) return lateReply();
  return answer.stage === 'transport' ? plainReply(500, `${answer.message}\n`) : plainReply(503, `${unreachable(answer)}\n`);
}

/** Returns Go's error of a server that does not answer; only its HTTP client, which is not used for what is passed on, knows plain HTTP. Source: apimachinery util/proxy/transport.go. */
export function unreachable({ message }: BackendFailure): string {
  const isPlainHttp = message === 'http: server gave HTTP response to HTTPS client';
  return `error trying to reach service: ${isPlainHttp ? 'tls: first record does not look like a TLS handshake' : message}`;
}

function unavailable(): HttpReply {
  return plainReply(503, 'service unavailable\n');
}

const late = 'context deadline exceeded';

/** Source: apiserver server/filters/timeout.go. */
function lateReply(): HttpReply {
  return { status: 504, headers: [['Content-Type', 'text/plain; charset=utf-8']], body: filterBody };
}

function callOf(request: Incoming, url: string, backend: Backend, header: BackendCall['header']): BackendCall {
  const { address, serverName, caBundle, insecureSkipVerify } = backend;
  return { method: request.method, url, header, body: undefined, address, serverName, caBundle, insecureSkipVerify };
}

/** Returns path and query as Go writes them again: the path decoded and escaped anew, the parameters sorted. */
function targetOf(url: string): string {
  const [path = '', ...query] = url.split('?');
  const parameters = [...queryOfUrl(query.join('?'))].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const pairs = parameters.flatMap(([key, values]) => values.map(value => `${escapeUrl(key, 'query')}=${escapeUrl(value, 'query')}`));
  return `${escapeUrl(pathOfUrl(path).path, 'path')}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

/** Reports whether the connection is to go on with another protocol. Source: streaming pkg/httpstream IsUpgradeRequest. */
export function asksForUpgrade(request: Incoming): boolean {
  return /upgrade/i.test(headerOfRequest(request, 'connection') ?? '');
}

/** Returns the body of a request as it is passed on; undefined without one. */
export async function readBody(request: Incoming): Promise<BackendCall['body']> {
  if (request.streamedBody !== undefined) return request.streamedBody();
  const body = await request.body();
  return body.length === 0 ? undefined : body;
}

/** Discovery must be fast. Source: apiserver util/proxy aggregatedDiscoveryTimeout. */
const discoveryMs = 5000;

function deadlineOf(request: Incoming): number {
  const segments = pathOfRequest(request)
    .replace(/^\/+|\/+$/g, '')
    .split('/');
  const limit = requestLimitMs({ method: request.method, path: request.url });
  return segments.length === 3 ? Math.min(limit, discoveryMs) : limit;
}

const cors = /^Access-Control-Allow-(?:Credentials|Headers|Methods|Origin)$/;

/** Returns the headers of a response with Go's names. */
export function receivedHeaders({ header }: Pick<BackendResponse, 'header'>): (readonly [string, string])[] {
  return header.map(([name, value]) => [canonicalHeaderName(name), decodeByteString(value)]);
}

/** Returns the headers of a response without those of one connection, and of CORS. Source: apimachinery util/proxy removeCORSHeaders. */
export function withoutEnding(received: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  const ended = new Set([...hopByHop, ...namedByConnection({ headers: received })]);
  return received.filter(([name]) => !ended.has(name) && !cors.test(name));
}

function replyOf(answer: BackendResponse, url: string): HttpReply {
  const received = receivedHeaders(answer);
  const location = received.find(([name]) => name === 'Location')?.[1] ?? '';
  if (answer.statusCode >= 300 && answer.statusCode <= 399 && location !== '') {
    answer.release();
    return {
      status: 502,
      headers: [['Content-Type', 'text/plain; charset=utf-8']],
      body: 'the backend attempted to redirect this request, which is not permitted',
    };
  }
  const headers = withoutEnding(received);
  const moved = location === '' ? '' : rewrittenLocation(location, url);
  if (typeof moved !== 'string') {
    answer.release();
    return plainReply(503, `${moved.message}\n`);
  }
  return {
    status: answer.statusCode,
    headers: headers.map(([name, value]) => [name, name === 'Location' ? moved : value]),
    body: '',
    passedOn: { read: answer.read, release: answer.release },
  };
}

/** Returns where a `Location` leads from the client's view. Source: apimachinery util/proxy/transport.go rewriteURL. */
function rewrittenLocation(location: string, requested: string): string | { readonly message: string } {
  try {
    const url = parseUrl(location);
    const { host } = parseUrl(requested);
    if ((url.host !== '' && url.host !== host) || !url.path.startsWith('/')) return urlText(url);
    return urlText({ ...url, scheme: 'https', host });
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    return { message: `Internal error occurred: error trying to parse Location header: ${error.message}` };
  }
}
