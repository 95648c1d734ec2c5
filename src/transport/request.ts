import { domainToASCII } from 'node:url';
import { encodeByteString } from '../go/byte-string.js';
import { canonicalHeaderName } from '../go/header-name.js';
import { parseUrl, UrlError } from '../go/url/parse.js';
import { requestUri, type Url } from '../go/url/url.js';
import type { StreamedBody } from '../kubernetes/backend-call.js';
import { memoize } from '../kubernetes/memoize.js';
import type { Header } from './response-head.js';
import { TransportError } from './transport-error.js';

/** A request as the client passes it to a connection. */
export interface TransportRequest {
  readonly method: string;
  readonly url: Url;
  /** Names as they are sent. */
  readonly header: Header;
  readonly body: Buffer | StreamedBody | undefined;
  /** Value of the header `Host`; by default the host of the URL. */
  readonly hostHeader?: string | undefined;
  /** Whether the response is passed on as it is: no encoding is asked for. */
  readonly isRaw?: boolean;
}

/** Parses the URL of a request. Fails with Go's error as a {@link TransportError}. */
export function targetUrl(text: string): Url {
  try {
    return parseUrl(text);
  } catch (error) {
    if (error instanceof UrlError) throw new TransportError('http', error.message);
    throw error;
  }
}

/** Reports whether a body is sent as it comes. */
export function isStreamed(body: TransportRequest['body']): body is StreamedBody {
  return body !== undefined && 'chunks' in body;
}

/** Returns the names and values that are sent, in Go's order, without those of HTTP/1.1 itself. */
export function sentHeader(request: TransportRequest): Header {
  const { body } = request;
  const { before, after } = aroundLength(request.header);
  const length = body?.length === undefined ? [] : [['Content-Length', String(body.length)] as const];
  return [...before, ...length, ...(asksForNothing(request) ? after.filter(field => field !== ownEncoding) : after)];
}

function asksForNothing({ method, isRaw }: Pick<TransportRequest, 'method' | 'isRaw'>): boolean {
  return method === 'HEAD' || isRaw === true;
}

/** Fields before and after Content-Length; all requests of a transport may share one header. */
const aroundLength = memoize((given: Header): { readonly before: Header; readonly after: Header } => {
  const header = given.map(([name, value]) => [canonicalHeaderName(name), value] as const);
  const sorted = header.filter(([name]) => !writtenByItself.has(name)).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  const agent = header.find(([name]) => name === 'User-Agent');
  return {
    before: agent === undefined ? [] : [agent],
    after: asksForGzip({ method: '', header: given }) ? [...sorted, ownEncoding] : sorted,
  };
});

const ownEncoding = ['Accept-Encoding', 'gzip'] as const;

/** Returns whether a gzip response is unpacked: only if the caller did not request gzip. Source: Go net/http persistConn.roundTrip. */
export function asksForGzip(request: Pick<TransportRequest, 'method' | 'header' | 'isRaw'>): boolean {
  if (asksForNothing(request)) return false;
  return request.header.every(([name, value]) => value === '' || !['accept-encoding', 'range'].includes(name.toLowerCase()));
}

/**
 * Returns a request in HTTP/1.1, without a body that is streamed. Fails with a {@link TransportError} for an invalid header. Source: Go net/http
 * Request.write, validateHeaders.
 */
export function requestBytes(request: TransportRequest): Buffer {
  const { method, url, header, body, hostHeader: host } = request;
  checkHeader(header);
  const { before, after } = asksForNothing(request) ? linesOfRaw(request) : linesAroundLength(header);
  const head = `${method} ${host === undefined ? startOf(url) : startFor(url, host)}${before}${lineOfLength(body)}${after}\r\n`;
  const whole = body instanceof Uint8Array ? body : undefined;
  const bytes = Buffer.allocUnsafe(head.length + (whole?.length ?? 0));
  bytes.write(head, 'latin1');
  whole?.copy(bytes, head.length);
  return bytes;
}

function lineOfLength(body: TransportRequest['body']): string {
  if (body === undefined) return '';
  return body.length === undefined ? 'Transfer-Encoding: chunked\r\n' : `Content-Length: ${body.length}\r\n`;
}

function linesOfRaw(request: TransportRequest): { readonly before: string; readonly after: string } {
  return { before: linesOf(sentHeader({ ...request, body: undefined })), after: '' };
}

function linesOf(fields: Header): string {
  return fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}

/** The same fields as lines. */
const linesAroundLength = memoize((header: Header): { readonly before: string; readonly after: string } => {
  const { before, after } = aroundLength(header);
  return { before: linesOf(before), after: linesOf(after) };
});

/** The request line after the method, and the Host line. */
const startOf = memoize((url: Url) => startFor(url, url.host));

function startFor(url: Url, host: string): string {
  return encodeByteString(`${requestUri(url)} HTTP/1.1\r\nHost: ${hostHeader(host)}\r\n`);
}

/** Returns the Host value: without the zone of an IPv6 address, other scripts in Punycode. */
export function hostHeader(host: string): string {
  const plain = host.replace(/^(\[[^\]%]*)%[^\]]*\]/, '$1]');
  if (!/[^\0-\x7f]/.test(plain)) return plain;
  const colon = plain.lastIndexOf(':');
  return domainToASCII(colon < 0 ? plain : plain.slice(0, colon)) + (colon < 0 ? '' : plain.slice(colon));
}

/** Fields that the request writer adds. */
const writtenByItself: ReadonlySet<string> = new Set(['Host', 'User-Agent', 'Content-Length', 'Transfer-Encoding', 'Trailer']);

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const checkHeader = memoize((header: Header): void => {
  for (const [name, value] of header) {
    if (!token.test(name)) throw new TransportError('http', `net/http: invalid header field name ${JSON.stringify(name)}`);
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) {
      throw new TransportError('http', `net/http: invalid header field value for ${JSON.stringify(canonicalHeaderName(name))}`);
    }
  }
});
