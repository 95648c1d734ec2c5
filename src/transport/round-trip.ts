import { type ByteReader, createByteReader } from './byte-reader.js';
import type { Connection } from './connection.js';
import { gunzipped } from './gzip.js';
import { asksForGzip, type Request, requestBytes } from './request.js';
import { type BodyReader, bodyUntilEnd, framingOf } from './response-body.js';
import { type Header, hasToken, headerValues, readResponseHead } from './response-head.js';
import { asTransportError, TransportError } from './transport-error.js';

/** A connection that speaks HTTP/1.1, and what was read ahead on it. */
export interface HttpConnection {
  readonly connection: Connection;
  readonly reader: ByteReader;
}

export function httpConnection(connection: Connection): HttpConnection {
  return { connection, reader: createByteReader(connection) };
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

/**
 * Sends a request and reads the head of the answer. Fails with a {@link TransportError} in the words of Go's transport.
 *
 * Neither undici nor node:http can stand here: their parser refuses what Go takes (status 099, folded lines, HTTP/2.0 in the status line, two
 * equal lengths), takes what Go refuses (`Transfer-Encoding: gzip, chunked`), and hides the lines and numbers that Go's words quote. So one
 * reader of our own serves every answer, and there is one behaviour.
 * Source: Go net/http persistConn.readLoop, readResponse, mapRoundTripError.
 */
export async function roundTrip({ connection, reader }: HttpConnection, request: Request): Promise<Response> {
  connection.write(requestBytes(request));
  reader.limit(mostHeaderBytes);
  // An end before the first byte goes out as it is, a later one is the fault of HTTP.
  if ((await reader.peek(1)).length === 0) throw reader.ending();
  try {
    return await readResponse(reader, request);
  } catch (error) {
    const failure = asTransportError(error);
    const text = reader.isExceeded() ? `net/http: server response headers exceeded ${mostHeaderBytes} bytes; aborted` : failure.message;
    throw new TransportError(reader.isExceeded() ? 'limit' : 'http', `net/http: HTTP/1.x transport connection broken: ${text}`);
  }
}

/** Over all heads of an answer, informational ones included. Source: Go net/http Transport.maxHeaderResponseSize. */
const mostHeaderBytes = 10 << 20;

async function readResponse(reader: ByteReader, request: Request): Promise<Response> {
  for (;;) {
    const head = await readResponseHead(reader);
    const { statusCode, header } = head;
    const framing = framingOf(head, reader);
    if (statusCode >= 100 && statusCode <= 199 && statusCode !== 101) continue;
    reader.limit(Number.POSITIVE_INFINITY);
    const switches = statusCode === 101 && hasToken(header, 'connection', 'upgrade');
    const framed = switches ? bodyUntilEnd(reader) : framing.body;
    let ended = framing.contentLength === 0 && !switches;
    const watched: BodyReader = {
      async read() {
        const part = await framed.read();
        ended = part === undefined;
        return part;
      },
    };
    const unpacks =
      framing.contentLength !== 0 && asksForGzip(request) && headerValues(header, 'content-encoding')[0]?.toLowerCase() === 'gzip';
    return {
      statusCode,
      header,
      contentLength: unpacks ? -1 : framing.contentLength,
      body: unpacks ? gunzipped(watched) : watched,
      isReusable: () => ended && !framing.closes && statusCode > 199 && reader.buffered().length === 0,
    };
  }
}
