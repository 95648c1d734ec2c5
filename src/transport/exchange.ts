import { decodeByteString } from '../go/byte-string.js';
import { quote } from '../go/quote.js';
import { splitHost, type Url, urlText, userText } from '../go/url/url.js';
import { wellFormed } from '../go/utf8.js';
import type { ConnectionPool } from './connection-pool.js';
import { beforeDeadline } from './deadline.js';
import { annotationKey, type Deprecation, deprecationsIn } from './deprecated-certificates.js';
import type { Bounds, HttpConnection, Response } from './http-connection.js';
import type { Request } from './request.js';
import { asTransportError, TransportError } from './transport-error.js';

/** What one call brings along for all its requests. */
export interface Session extends Bounds {
  readonly pool: ConnectionPool;
  /** What connections to a URL have in common: a kept one is taken only for the same. */
  connectionKey(url: Url): string;
  open(url: Url): Promise<HttpConnection>;
  /** Audit annotations about the certificates that were met. */
  readonly annotations: Map<string, string>;
}

/** An answer, and the connection it came on. */
export interface Exchange extends Response {
  /** The rest of the body is not wanted: keeps the connection if it can, closes it if not. */
  release(): void;
}

/** Sends one request over a kept or a new connection. Fails with a {@link TransportError}. Source: Go net/http Transport.roundTrip. */
export async function exchange(session: Session, request: Request): Promise<Exchange> {
  const { scheme, host } = request.url;
  if (scheme !== 'https' && scheme !== 'http') throw new TransportError('http', `unsupported protocol scheme ${quote(scheme)}`);
  if (host === '') throw new TransportError('http', 'http: no Host in request URL');
  const key = session.connectionKey(request.url);
  const kept = session.pool.take(key);
  if (kept !== undefined) {
    try {
      return await exchangeOver(session, kept, { request, key });
    } catch (error) {
      // The server may have closed it just now: what changes nothing is sent again.
      if (request.method !== 'GET' || asTransportError(error).failureClass === 'time') throw error;
    }
  }
  return exchangeOver(session, await opened(session, request.url), { request, key });
}

async function opened(session: Session, url: Url): Promise<HttpConnection> {
  try {
    return await session.open(url);
  } catch (error) {
    annotateAll(session, url, deprecationsIn(asTransportError(error).message));
    throw error;
  }
}

function annotateAll({ annotations }: Session, url: Url, deprecations: readonly Deprecation[]): void {
  if (deprecations.length === 0) return;
  const { hostname } = splitHost(url.host);
  for (const deprecation of deprecations) annotations.set(annotationKey(deprecation, wellFormed(hostname)), deprecation.reason);
}

/** `key`: what the connection may be used for afterwards. */
async function exchangeOver(
  session: Session,
  http: HttpConnection,
  { request, key }: { readonly request: Request; readonly key: string },
): Promise<Exchange> {
  const forget = session.deadline.onOver(http.destroy);
  try {
    const response = await beforeDeadline(http.roundTrip(request, session), session.deadline);
    annotateAll(session, request.url, http.deprecations);
    return {
      ...response,
      release() {
        forget();
        if (response.isReusable()) session.pool.put(key, http);
        else http.destroy();
      },
    };
  } catch (error) {
    forget();
    http.destroy();
    throw error;
  }
}

/** Reads a body to its end and lets go of the connection. Fails with a {@link TransportError}, of class `limit` when it grows beyond `most` bytes. */
export async function readBody({ body, release }: Exchange, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for (let part = await body.read(); part !== undefined; part = await body.read()) {
      size += part.length;
      if (size > most) throw new TransportError('limit', `response body is larger than ${most} bytes; kube-apiserver has no such limit`);
      parts.push(part);
    }
  } finally {
    release();
  }
  return Buffer.concat(parts);
}

/** Reads a small body away, so that the connection can serve again. Source: Go net/http Client.do, client-go readAndCloseResponseBody. */
export async function dropBody({ body, contentLength, release }: Exchange): Promise<void> {
  const most = 2_048;
  try {
    let size = 0;
    while (contentLength <= most && size <= most) {
      const part = await body.read();
      if (part === undefined) break;
      size += part.length;
    }
  } catch (error) {
    // Then the connection is of no more use; the answer that it carried is not in question.
    asTransportError(error);
  } finally {
    release();
  }
}

/** `Post "https://127.0.0.1:8443/validate?timeout=10s": EOF`: always of the first request's method. Source: Go net/url Error. */
export function clientError(url: Url | string, failure: TransportError): TransportError {
  const text = typeof url === 'string' ? decodeByteString(url) : textWithoutPassword(url);
  return new TransportError(failure.failureClass, `Post ${quote(text)}: ${failure.message}`);
}

/** Returns the URL with a masked password. Source: Go net/http stripPassword. */
function textWithoutPassword(url: Url): string {
  const { user } = url;
  if (user?.password === undefined) return urlText(url);
  return urlText(url).replace(`${userText(user)}@`, () => `${user.name}:***@`);
}
