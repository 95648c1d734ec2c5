import type { Deadline } from './deadline.js';
import type { CertificateDeprecation } from './deprecated-certificates.js';
import { gunzipped } from './gzip.js';
import { asksForGzip, type TransportRequest } from './request.js';
import type { BodyReader } from './response-body.js';
import { type Header, headerValues } from './response-head.js';
import type { TransportError } from './transport-error.js';

/** Connection that answers requests one after the other. */
export interface HttpConnection extends HttpExchanger {
  /** Deprecations of its certificates. */
  readonly deprecations: readonly CertificateDeprecation[];
}

/** One version of HTTP over a stream. */
export interface HttpExchanger {
  /** Sends a request and reads the head of the response. Fails with a {@link TransportError} with the message of Go's transport. */
  roundTrip(request: TransportRequest, bounds: Bounds): Promise<Response>;
  /** Returns whether there are no unread bytes and the peer has not closed the stream. */
  isQuiet(): boolean;
  /** Sets whether the connection keeps the process alive. */
  hold(held: boolean): void;
  /** Closes the connection, or leaves one that others use; pending reads fail with the reason. */
  destroy(reason?: TransportError): void;
  /** For a protocol with several requests at a time. */
  readonly shared?: SharedConnection;
}

/** Use of a connection that several calls share. */
export interface SharedConnection {
  /** Returns another use of the connection; undefined when it is closing, or has as many requests as its server takes. */
  join(): HttpExchanger | undefined;
  /** Ends this use, and returns true, if there are others; returns false for the last one. */
  leave(): boolean;
}

/** Limits of a request. */
export interface Bounds {
  readonly deadline: Deadline;
  /** Max bytes of an unpacked body. */
  readonly maxBodyBytes: number;
}

/** Response with an unread body. */
export interface Response {
  readonly statusCode: number;
  readonly header: Header;
  /** As announced; -1 if unknown. */
  readonly contentLength: number;
  readonly body: BodyReader;
  /** Returns whether the connection can be reused after the body was read. */
  isReusable(): boolean;
}

/** Returns the response as the client gets it: gzip is unpacked if the transport requested it. Source: Go net/http persistConn.readLoop. */
export function unpacked(response: Response, request: TransportRequest, { maxBodyBytes }: Bounds): Response {
  const encoding = headerValues(response.header, 'content-encoding')[0] ?? '';
  if (response.contentLength === 0 || encoding.toLowerCase() !== 'gzip' || !asksForGzip(request)) return response;
  return { ...response, contentLength: -1, body: gunzipped(response.body, maxBodyBytes) };
}
