import { decodeByteString } from '../go/byte-string.js';
import { quote } from '../go/quote.js';
import { splitHost, type Url, urlText, userText } from '../go/url/url.js';
import { wellFormed } from '../go/utf8.js';
import type { CallStage } from '../kubernetes/call-steps.js';
import type { ConnectionPool } from './connection-pool.js';
import { awaitBeforeDeadline } from './deadline.js';
import { annotationKey, type CertificateDeprecation, deprecationsIn } from './deprecated-certificates.js';
import type { Bounds, HttpConnection, Response } from './http-connection.js';
import type { TransportRequest } from './request.js';
import { asTransportError, TransportError } from './transport-error.js';

/** State of one call, shared by all its requests. */
export interface Session extends Bounds {
  readonly pool: ConnectionPool;
  /** Returns the key of connections to a URL: a kept one is used only for the same key. */
  connectionKey(url: Url): string;
  open(url: Url): Promise<HttpConnection>;
  /** Whether a server may take several requests at a time on one connection. */
  readonly offersHttp2: boolean;
  /** Called when a stage of the call begins. */
  readonly onStage?: ((stage: CallStage) => void) | undefined;
  /** Audit annotations about the certificates seen. */
  readonly annotations: Map<string, string>;
}

/** Response, and the connection it came on. */
export interface HttpExchange extends Response {
  /** Drops the rest of the body: keeps the connection if possible, otherwise closes it. */
  release(): void;
}

/** Sends one request over a kept or a new connection. Fails with a {@link TransportError}. Source: Go net/http Transport.roundTrip. */
export function exchange(session: Session, request: TransportRequest): Promise<HttpExchange> {
  const { scheme, host } = request.url;
  if (scheme !== 'https' && scheme !== 'http') throw new TransportError('http', `unsupported protocol scheme ${quote(scheme)}`);
  if (host === '') throw new TransportError('http', 'http: no Host in request URL');
  const key = session.connectionKey(request.url);
  const kept = session.pool.take(key);
  if (kept === undefined) return exchangeOverNew(session, { request, key });
  return isRepeatable(request) ? exchangeTwice(session, kept, { request, key }) : exchangeOver(session, kept, { request, key });
}

/** `key`: of the connection in the pool. */
interface KeyedRequest {
  readonly request: TransportRequest;
  readonly key: string;
}

/** Source: Go net/http Request.isReplayable. */
function isRepeatable({ method, body }: TransportRequest): boolean {
  return body === undefined && (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE');
}

/** The server may have closed a kept connection in the meantime: idempotent requests are sent again, unless the server reset their stream. */
async function exchangeTwice(session: Session, kept: HttpConnection, keyed: KeyedRequest): Promise<HttpExchange> {
  try {
    return await exchangeOver(session, kept, keyed);
  } catch (error) {
    const { failureClass, message } = asTransportError(error);
    if (failureClass === 'time' || message.startsWith('stream error: ')) throw error;
  }
  return exchangeOverNew(session, keyed);
}

/** Calls that come while the first connection is being opened wait for it: they can share it. Source: Go net/http Transport.getConn, x/net/http2 addConnIfNeeded. */
async function exchangeOverNew(session: Session, keyed: KeyedRequest): Promise<HttpExchange> {
  const { pool, deadline } = session;
  const opening = session.offersHttp2 ? pool.opening(keyed.key) : undefined;
  if (opening !== undefined) await awaitBeforeDeadline(opening, deadline);
  const shared = opening === undefined ? undefined : pool.take(keyed.key);
  return exchangeOver(session, shared ?? (await pool.open(keyed.key, () => openForExchange(session, keyed.request.url))), keyed);
}

async function openForExchange(session: Session, url: Url): Promise<HttpConnection> {
  try {
    return await session.open(url);
  } catch (error) {
    annotateAll(session, url, deprecationsIn(asTransportError(error).message));
    throw error;
  }
}

function annotateAll({ annotations }: Session, url: Url, deprecations: readonly CertificateDeprecation[]): void {
  if (deprecations.length === 0) return;
  const { hostname } = splitHost(url.host);
  for (const deprecation of deprecations) annotations.set(annotationKey(deprecation, wellFormed(hostname)), deprecation.reason);
}

async function exchangeOver(session: Session, http: HttpConnection, { request, key }: KeyedRequest): Promise<HttpExchange> {
  session.deadline.connected();
  const forget = session.deadline.onOver(http.destroy);
  try {
    session.onStage?.('wait');
    const response = await awaitBeforeDeadline(http.roundTrip(request, session), session.deadline);
    annotateAll(session, request.url, http.deprecations);
    return {
      ...response,
      release() {
        forget();
        if (response.isReusable()) session.pool.put(key, http);
        else session.pool.drop(key, http);
      },
    };
  } catch (error) {
    forget();
    session.pool.drop(key, http);
    throw error;
  }
}

/** Returns a body that was received together with its head, and releases the connection; undefined for one that has to be waited for. */
export function receivedBody({ body, contentLength, release }: HttpExchange, maxBytes: number): Buffer | undefined {
  const whole = contentLength <= maxBytes ? body.whole?.() : undefined;
  if (whole === undefined) return undefined;
  // The bytes of the connection are not kept alive by it.
  const bytes = Buffer.from(whole);
  release();
  return bytes;
}

/** Reads a body to its end and releases the connection. Fails with a {@link TransportError}, of class `limit` if it exceeds `maxBytes`. */
export async function readBody({ body, release }: HttpExchange, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for (let part = await body.read(); part !== undefined; part = await body.read()) {
      size += part.length;
      if (size > maxBytes)
        throw new TransportError('limit', `response body is larger than ${maxBytes} bytes; kube-apiserver has no such limit`);
      parts.push(part);
    }
  } finally {
    release();
  }
  return Buffer.concat(parts);
}

/** Drains a small body, so that the connection can be reused. Source: Go net/http Client.do, client-go readAndCloseResponseBody. */
export async function dropBody({ body, contentLength, release }: HttpExchange): Promise<void> {
  const maxBytes = 2_048;
  try {
    let size = 0;
    while (contentLength <= maxBytes && size <= maxBytes) {
      const part = await body.read();
      if (part === undefined) break;
      size += part.length;
    }
  } catch (error) {
    // The connection is closed then; the response is complete without its body.
    asTransportError(error);
  } finally {
    release();
  }
}

/**
 * Returns Go's error with the method of the first request: `Post "https://127.0.0.1:8443/validate?timeout=10s": EOF`. Source: Go net/url
 * Error.
 */
export function clientError(url: Url | string, failure: TransportError): TransportError {
  const text = typeof url === 'string' ? decodeByteString(url) : textWithoutPassword(url);
  return new TransportError(failure.failureClass, `Post ${quote(text)}: ${failure.message}`, failure.message);
}

/** Returns the URL with a masked password. Source: Go net/http stripPassword. */
function textWithoutPassword(url: Url): string {
  const { user } = url;
  if (user?.password === undefined) return urlText(url);
  return urlText(url).replace(`${userText(user)}@`, () => `${user.name}:***@`);
}
