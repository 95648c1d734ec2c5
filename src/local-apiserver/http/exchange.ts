import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WatchStream } from '../../apiserver/report/serving.js';
import type { StreamedBody } from '../../kubernetes/backend-call.js';

/** A received HTTP request. */
export interface Incoming {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Lower-case names, in order; names may be repeated. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The client's certificate; undefined without one. */
  readonly peer: PeerCertificate | undefined;
  /** Address of the client; undefined if it is unknown. */
  readonly remoteAddress?: string | undefined;
  /** The body, truncated one byte after the API server's limit. */
  readonly body: () => Promise<Uint8Array>;
  /** The body as it comes, in place of `body`; undefined for a request without one. */
  readonly streamedBody?: () => StreamedBody | undefined;
}

/** Identity in a client certificate. */
export interface PeerCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate in hex. */
  readonly digest: string;
  /** Whether it is valid, and issued by a CA for clients. */
  readonly isClient: boolean;
  /** Whether it is valid, and issued by a CA for authenticating proxies. */
  readonly isProxy: boolean;
}

/** The response. */
export interface HttpReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | LargeBody;
  readonly stream?: WatchStream | undefined;
  /** The body of another server's response, in place of `body`. */
  readonly passedOn?: PassedBody | undefined;
  /**
   * Over HTTP/2, the connection takes no other request: an unknown client could have thousands of streams. Source: apiserver
   * endpoints/filters/authentication.go withAuthentication.
   */
  readonly endsSession?: boolean | undefined;
  /** Takes over the connection of a client that asks for another protocol. */
  readonly takeOver?: ((request: IncomingMessage, socket: Duplex) => void) | undefined;
}

/** A body that comes from another server while it is sent. */
export interface PassedBody {
  /** Returns the next bytes; undefined at the end. Rejects if the other server's response broke: the client's breaks, too. */
  readonly read: () => Promise<Uint8Array | undefined>;
  /** Called when all is sent, or the client has disconnected. */
  readonly release: () => void;
}

/** Longer responses are compressed for clients that accept it. Source: apiserver responsewriters/writers.go. */
export const gzipBytes = 128 * 1024;

/** A body of more than `gzipBytes`, which is made in the form in which it is sent. */
export interface LargeBody {
  bytes(): Uint8Array;
  /** Returns the bytes in the gzip format. */
  zipped(): Uint8Array;
}

export function isLargeBody(body: HttpReply['body']): body is LargeBody {
  return typeof body !== 'string' && 'zipped' in body;
}

/** Returns the bytes of a body as they are without compression. */
export function bytesOfBody(body: HttpReply['body']): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  const { buffer, byteOffset, byteLength } = isLargeBody(body) ? body.bytes() : body;
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Returns the first value of a header; undefined if it is absent. */
export function headerOfRequest({ headers }: Pick<Incoming, 'headers'>, name: string): string | undefined {
  return headers.find(([key]) => key === name)?.[1];
}

/** Returns the path without its query. */
export function pathOfRequest({ url }: Pick<Incoming, 'url'>): string {
  return url.split('?', 1)[0] ?? '';
}

/** Returns a plain-text reply like Go's http.Error. */
export function plainReply(status: number, body: string): HttpReply {
  return {
    status,
    headers: [
      ['Content-Type', 'text/plain; charset=utf-8'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body,
  };
}

/** Returns a JSON reply. */
export function jsonReply(body: string, status = 200): HttpReply {
  return { status, headers: [['Content-Type', 'application/json']], body };
}
