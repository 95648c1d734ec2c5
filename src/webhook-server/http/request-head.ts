import type { HeaderFields } from './message.js';
import { parseRequestTarget, type RequestTarget } from './request-target.js';

/** Request line of HTTP/1. */
export interface RequestLine {
  readonly method: string;
  readonly url: string;
  readonly target: RequestTarget;
  /** 10 for HTTP/1.0, 11 for HTTP/1.1 and later. */
  readonly version: 10 | 11;
}

/** Framing of a request's body. */
export type BodyFraming = { readonly type: 'none' } | { readonly type: 'length'; readonly length: number } | { readonly type: 'chunked' };

export interface RequestFields {
  readonly headers: HeaderFields;
  readonly framing: BodyFraming;
  /** Whether the client requests closing the connection after the response. */
  readonly close: boolean;
  /** `100-continue`, or another expectation that Go refuses with 417. */
  readonly expects: 'nothing' | 'continue' | 'unknown';
}

/** Unreadable request: the whole response that Go's server writes before it closes the connection. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly status: string;
  readonly body: string;

  constructor(status: string, body = status) {
    super(body);
    this.status = status;
    this.body = body;
  }
}

/** Returns Go's response to a request that its HTTP server cannot read. Source: net/http conn.serve. */
export function requestRefusal({ status, body }: RefusedRequest): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${body}`;
}

const badRequest = '400 Bad Request';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Reads the request line, without its line end. Throws RefusedRequest. Source: net/http readRequest. */
export function parseRequestLine(line: string): RequestLine {
  const first = line.indexOf(' ');
  const second = first < 0 ? -1 : line.indexOf(' ', first + 1);
  if (second < 0) throw new RefusedRequest(badRequest);
  const method = line.slice(0, first);
  const url = line.slice(first + 1, second);
  const version = /^HTTP\/(\d)\.(\d)$/.exec(line.slice(second + 1));
  if (!token.test(method) || version === null) throw new RefusedRequest(badRequest);
  const target = parseRequestTarget(method, url);
  if (target === undefined) throw new RefusedRequest(badRequest);
  if (version[1] !== '1' && !(method === 'PRI' && url === '*' && version[0] === 'HTTP/2.0')) {
    throw new RefusedRequest('505 HTTP Version Not Supported: unsupported protocol version');
  }
  return { method, url, target, version: version[2] === '0' && version[1] === '1' ? 10 : 11 };
}

/**
 * Parses the header lines after the request line, each without its line end. `text` has one byte a character. Throws RefusedRequest.
 * Source: net/textproto ReadMIMEHeader, net/http readTransfer and conn.readRequest.
 */
export function parseFields(lines: readonly string[], { method, version }: RequestLine): RequestFields {
  const headers = readFields(lines);
  const hosts = headers.get('host');
  if (hosts !== undefined && hosts.length > 1) throw new RefusedRequest(badRequest);
  const framing = framingOf(headers, version);
  if (version === 11 && hosts === undefined && method !== 'CONNECT') throw malformed('missing required Host header');
  const host = hosts?.[0];
  if (host !== undefined && !/^[!$%&'()*+,\-.0-9:;=A-Z[\]_a-z~]*$/.test(host)) throw malformed('malformed Host header');
  checkFields(headers);
  const connection = tokensOf(headers.get('connection'));
  const close = connection.has('close') || (version === 10 && !connection.has('keep-alive'));
  const expect = headers.get('expect')?.[0] ?? '';
  const expects = expect === '' ? 'nothing' : tokensOf([expect]).has('100-continue') ? 'continue' : 'unknown';
  return { headers, framing, close, expects };
}

function malformed(message: string): RefusedRequest {
  return new RefusedRequest(`${badRequest}: ${message}`);
}

function readFields(lines: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let i = 0; i < lines.length; ) {
    let line = trimmed(lines[i] ?? '');
    if (i === 0 && isFolded(lines[0])) throw new RefusedRequest(badRequest);
    for (i += 1; isFolded(lines[i]); i += 1) line += ` ${trimmed(lines[i] ?? '')}`;
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    if (colon <= 0 || !/^[!#$%&'*+\-.^_`|~0-9A-Za-z ]+$/.test(name)) throw new RefusedRequest(badRequest);
    const key = name.toLowerCase();
    const value = trimmed(line.slice(colon + 1));
    const known = headers.get(key);
    if (known === undefined) headers.set(key, [value]);
    else known.push(value);
  }
  return headers;
}

/** Returns the text without surrounding spaces and tabs. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return to - from === text.length ? text : text.slice(from, to);
}

/** Reports whether a line continues the one before it. */
function isFolded(line: string | undefined): boolean {
  return line !== undefined && isBlank(line.charCodeAt(0));
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function checkFields(headers: ReadonlyMap<string, readonly string[]>): void {
  for (const [name, values] of headers) {
    if (name.includes(' ')) throw malformed('invalid header name');
    for (const value of values) if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) throw malformed('invalid header value');
  }
}

/** Removes from the headers what the framing has used, as Go does. */
function framingOf(headers: Map<string, string[]>, version: 10 | 11): BodyFraming {
  const encodings = headers.get('transfer-encoding');
  headers.delete('transfer-encoding');
  const isChunked = encodings !== undefined && version === 11;
  if (isChunked && (encodings.length !== 1 || encodings[0]?.toLowerCase() !== 'chunked')) {
    throw new RefusedRequest('501 Not Implemented', 'Unsupported transfer encoding');
  }
  const lengths = headers.get('content-length') ?? [];
  const [length] = lengths;
  if (length !== undefined && (lengths.some(other => other !== length) || !isLength(length))) throw new RefusedRequest(badRequest);
  if (isChunked) {
    headers.delete('content-length');
    return { type: 'chunked' };
  }
  return length === undefined || Number(length) === 0 ? { type: 'none' } : { type: 'length', length: Number(length) };
}

function isLength(text: string): boolean {
  return /^\d+$/.test(text) && (text.length < 19 || BigInt(text) < 1n << 63n);
}

const noTokens: ReadonlySet<string> = new Set();

function tokensOf(values: readonly string[] | undefined): ReadonlySet<string> {
  return values === undefined ? noTokens : new Set(values.flatMap(value => value.split(',').map(part => part.trim().toLowerCase())));
}
