import type { Deadline } from './deadline.js';
import type { Deprecation } from './deprecated-certificates.js';
import { gunzipped } from './gzip.js';
import { asksForGzip, type Request } from './request.js';
import type { BodyReader } from './response-body.js';
import { type Header, headerValues } from './response-head.js';
import type { TransportError } from './transport-error.js';

/** A connection on which requests are answered, one after the other. */
export interface HttpConnection extends HttpExchanger {
  /** What is old-fashioned about the certificates it rests on. */
  readonly deprecations: readonly Deprecation[];
}

/** What a version of HTTP makes of a stream. */
export interface HttpExchanger {
  /** Sends a request and reads the head of the answer. Fails with a {@link TransportError} in the words of Go's transport. */
  roundTrip(request: Request, bounds: Bounds): Promise<Response>;
  /** Whether nothing came unasked and the peer has not ended. */
  isQuiet(): boolean;
  /** Whether the process shall live as long as the connection does. */
  hold(held: boolean): void;
  /** Closes; whatever waits fails with the reason. */
  destroy(reason?: TransportError): void;
}

/** What a request may take. */
export interface Bounds {
  readonly deadline: Deadline;
  /** Bytes of a body that are read at most, unpacked. */
  readonly maxBodyBytes: number;
}

/** An answer whose body is still to be read. */
export interface Response {
  readonly statusCode: number;
  readonly header: Header;
  /** As announced; -1 when it is not known. */
  readonly contentLength: number;
  readonly body: BodyReader;
  /** Whether the connection can take another request, once the body was read to its end. */
  isReusable(): boolean;
}

/** The answer as the client gets it: a gzip that was asked for is unpacked. Source: Go net/http persistConn.readLoop. */
export function unpacked(response: Response, request: Request, { maxBodyBytes }: Bounds): Response {
  const encoding = headerValues(response.header, 'content-encoding')[0] ?? '';
  if (response.contentLength === 0 || encoding.toLowerCase() !== 'gzip' || !asksForGzip(request)) return response;
  return { ...response, contentLength: -1, body: gunzipped(response.body, maxBodyBytes) };
}
