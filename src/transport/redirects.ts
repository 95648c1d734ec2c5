import { decodeByteString, encodeByteString, quoteByteString } from '../go/byte-string.js';
import { parseUrl, UrlError } from '../go/url/parse.js';
import { resolveReference } from '../go/url/resolve.js';
import { splitHost, type Url, urlText } from '../go/url/url.js';
import { clientError, dropBody, exchange, type HttpExchange, type Session } from './exchange.js';
import type { TransportRequest } from './request.js';
import { type Header, headerValues } from './response-head.js';
import { asTransportError, deadlineExceeded, TransportError } from './transport-error.js';

/**
 * Sends a request and follows up to ten redirects: 301, 302 and 303 as GET without the body, 307 and 308 unchanged. Fails with a {@link
 * TransportError} that begins with `Post "URL": `. Source: Go net/http Client.do.
 */
export async function follow(session: Session, first: TransportRequest): Promise<HttpExchange> {
  let request = first;
  let keepsBody = true;
  for (let sent = 1; ; sent += 1) {
    const answer = await attempt(session, request);
    const redirect = redirectOf(answer.statusCode);
    const location = headerValues(answer.header, 'location')[0] ?? '';
    if (redirect === undefined || location === '') return answer;
    keepsBody = keepsBody && redirect === 'again';
    const next = nextRequest(first, request, { location, keepsBody });
    await dropBody(answer);
    if (next instanceof TransportError) throw clientError(request.url, next);
    if (sent >= maxRequests) throw clientError(location, new TransportError('http', `stopped after ${maxRequests} redirects`));
    request = next;
  }
}

const maxRequests = 10;

async function attempt(session: Session, request: TransportRequest): Promise<HttpExchange> {
  try {
    if (session.deadline.isOver()) throw deadlineExceeded();
    return await exchange(session, request);
  } catch (error) {
    const failure = asTransportError(error);
    // After the deadline every error is a timeout.
    throw clientError(request.url, session.deadline.isOver() ? deadlineExceeded() : failure);
  }
}

function redirectOf(statusCode: number): 'get' | 'again' | undefined {
  if (statusCode === 301 || statusCode === 302 || statusCode === 303) return 'get';
  return statusCode === 307 || statusCode === 308 ? 'again' : undefined;
}

interface Redirect {
  readonly location: string;
  readonly keepsBody: boolean;
}

function nextRequest(
  first: TransportRequest,
  last: TransportRequest,
  { location, keepsBody }: Redirect,
): TransportRequest | TransportError {
  const url = resolved(last.url, location);
  if (url instanceof TransportError) return url;
  const referer = refererFor(last.url, url);
  return {
    // A request that became a GET stays one.
    method: keepsBody ? last.method : 'GET',
    url,
    header: [...headerFor(first, url, keepsBody), ...(referer === '' ? [] : [['Referer', referer] as const])],
    body: keepsBody ? first.body : undefined,
  };
}

function resolved(base: Url, location: string): Url | TransportError {
  try {
    return resolveReference(base, parseUrl(decodeByteString(location)));
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    return new TransportError('http', `failed to parse Location header ${quoteByteString(location)}: ${error.message}`);
  }
}

/** Headers about the body are dropped with the body; credentials are sent to the webhook's own origin only. */
function headerFor(first: TransportRequest, url: Url, keepsBody: boolean): Header {
  const sameOrigin = url.scheme === first.url.scheme && originHost(url) === originHost(first.url);
  return first.header.filter(([name]) => {
    const lower = name.toLowerCase();
    return (sameOrigin || !credentials.has(lower)) && (keepsBody || !describesBody.has(lower));
  });
}

function originHost(url: Url): string {
  const { hostname, port } = splitHost(url.host);
  return `${hostname}:${port === '' ? defaultPort(url) : port}`;
}

/** Returns the default port of a URL's scheme; 0 if there is none. */
export function defaultPort({ scheme }: Url): number {
  return scheme === 'https' ? 443 : scheme === 'http' ? 80 : 0;
}

const credentials: ReadonlySet<string> = new Set([
  'authorization',
  'www-authenticate',
  'cookie',
  'cookie2',
  'proxy-authorization',
  'proxy-authenticate',
]);
const describesBody: ReadonlySet<string> = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

/** Source: Go net/http refererForURL. */
function refererFor(last: Url, next: Url): string {
  return last.scheme === 'https' && next.scheme === 'http' ? '' : encodeByteString(urlText({ ...last, user: undefined }));
}
