import { domainToASCII } from 'node:url';
import { encodeByteString } from '../go/byte-string.js';
import { canonicalHeaderName } from '../go/header-name.js';
import { requestUri, type Url } from '../go/url/url.js';
import { memoize } from '../kubernetes/memoize.js';
import type { Header } from './response-head.js';
import { TransportError } from './transport-error.js';

/** A request as the client passes it to a connection. */
export interface TransportRequest {
  readonly method: 'POST' | 'GET';
  readonly url: Url;
  /** Names as they are sent. */
  readonly header: Header;
  readonly body: Buffer | undefined;
}

/** Returns the names and values that are sent, in Go's order, without those of HTTP/1.1 itself. */
export function sentHeader({ header, body }: TransportRequest): Header {
  const { before, after } = aroundLength(header);
  return [...before, ...(body === undefined ? [] : [['Content-Length', String(body.length)] as const]), ...after];
}

/** Fields before and after Content-Length; all requests of a transport may share one header. */
const aroundLength = memoize((given: Header): { readonly before: Header; readonly after: Header } => {
  const header = given.map(([name, value]) => [canonicalHeaderName(name), value] as const);
  const sorted = header.filter(([name]) => !writtenByItself.has(name)).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  const agent = header.find(([name]) => name === 'User-Agent');
  return {
    before: agent === undefined ? [] : [agent],
    after: asksForGzip({ header: given }) ? [...sorted, ['Accept-Encoding', 'gzip']] : sorted,
  };
});

/** Returns whether a gzip response is unpacked: only if the caller did not request gzip. Source: Go net/http persistConn.roundTrip. */
export function asksForGzip({ header }: Pick<TransportRequest, 'header'>): boolean {
  return header.every(([name, value]) => value === '' || !['accept-encoding', 'range'].includes(name.toLowerCase()));
}

/**
 * Returns a request in HTTP/1.1. Fails with a {@link TransportError} for an invalid header. Source: Go net/http Request.write,
 * validateHeaders.
 */
export function requestBytes(request: TransportRequest): Buffer {
  const { method, url, header, body } = request;
  checkHeader(header);
  const { before, after } = linesAroundLength(header);
  const length = body === undefined ? '' : `Content-Length: ${body.length}\r\n`;
  const head = `${method} ${startOf(url)}${before}${length}${after}\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + (body?.length ?? 0));
  bytes.write(head, 'latin1');
  body?.copy(bytes, head.length);
  return bytes;
}

/** The same fields as lines. */
const linesAroundLength = memoize((header: Header): { readonly before: string; readonly after: string } => {
  const linesOf = (fields: Header): string => fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const { before, after } = aroundLength(header);
  return { before: linesOf(before), after: linesOf(after) };
});

/** The request line after the method, and the Host line. */
const startOf = memoize((url: Url) => encodeByteString(`${requestUri(url)} HTTP/1.1\r\nHost: ${hostHeader(url.host)}\r\n`));

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
