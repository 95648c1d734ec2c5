import type { StreamedBody } from '../kubernetes/backend-call.js';
import { type ByteReader, createByteReader } from './byte-reader.js';
import type { Connection } from './connection.js';
import { type HttpExchanger, type Response, unpacked } from './http-connection.js';
import { isStreamed, requestBytes } from './request.js';
import { type BodyReader, bodyUntilEnd, framingOf, framingOfHead } from './response-body.js';
import { bufferedHead, hasToken, headerValues, type ResponseHead, readResponseHead } from './response-head.js';
import { asTransportError, TransportError } from './transport-error.js';

/**
 * HTTP/1.1 over a connection, read by Go's rules. undici and node:http cannot be used: their parser rejects responses that Go accepts
 * (status 099, folded lines, HTTP/2.0 in the status line, two equal lengths), accepts what Go rejects (`Transfer-Encoding: gzip,
 * chunked`), and hides the lines and numbers in Go's messages. Source: Go net/http persistConn.readLoop, readResponse, mapRoundTripError.
 */
export function http1Connection(connection: Connection): HttpExchanger {
  const reader = createByteReader(connection);
  return {
    async roundTrip(request, bounds) {
      connection.write(requestBytes(request));
      if (isStreamed(request.body)) void writeStreamed(connection, request.body);
      reader.limit(maxHeaderBytes);
      // An end before the first byte is returned as it is; a later one is an HTTP error.
      while (reader.buffered().length === 0) if (!(await reader.fill())) throw reader.ending();
      try {
        return unpacked(await readResponse(reader, request.method), request, bounds);
      } catch (error) {
        const failure = asTransportError(error);
        throw failure.failureClass === 'limit' ? failure : broken(failure, reader.isExceeded());
      }
    },
    isQuiet: () => connection.isQuiet() && reader.buffered().length === 0,
    hold: connection.hold,
    destroy: connection.destroy,
  };
}

/** Limit for all heads of a response, informational ones included. Source: Go net/http Transport.maxHeaderResponseSize. */
const maxHeaderBytes = 10 << 20;

function broken(failure: TransportError, headerIsTooLong: boolean): TransportError {
  const text = headerIsTooLong ? `net/http: server response headers exceeded ${maxHeaderBytes} bytes; aborted` : failure.message;
  return new TransportError(headerIsTooLong ? 'limit' : 'http', `net/http: HTTP/1.x transport connection broken: ${text}`);
}

/** Writes a body as it comes; one that breaks breaks the connection. */
async function writeStreamed(connection: Connection, { length, chunks }: StreamedBody): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (chunk.length === 0) continue;
      connection.write(length === undefined ? Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, lineEnd]) : chunk);
    }
    if (length === undefined) connection.write(Buffer.from('0\r\n\r\n'));
  } catch (error) {
    connection.destroy(new TransportError('http', error instanceof Error ? error.message : String(error)));
  }
}

const lineEnd = Buffer.from('\r\n');

async function readResponse(reader: ByteReader, method: string): Promise<Response> {
  for (;;) {
    const head = bufferedHead(reader) ?? (await readResponseHead(reader));
    const framing = method === 'HEAD' ? framingOfHead(head) : framingOf(head, reader);
    const { statusCode, header } = head;
    if (statusCode >= 100 && statusCode <= 199 && statusCode !== 101) continue;
    reader.limit(Number.POSITIVE_INFINITY);
    const switches = isProtocolSwitch(head);
    const framed = switches ? bodyUntilEnd(reader) : framing.body;
    let ended = (framing.contentLength === 0 || method === 'HEAD') && !switches;
    const body: BodyReader = {
      async read() {
        const part = await framed.read();
        ended = part === undefined;
        return part;
      },
      whole() {
        const bytes = framed.whole?.();
        ended ||= bytes !== undefined;
        return bytes;
      },
    };
    const { contentLength, closes } = framing;
    return { statusCode, header, contentLength, body, isReusable: () => ended && !closes && statusCode > 199 };
  }
}

/** After a protocol switch the rest of the connection is the body. */
function isProtocolSwitch({ statusCode, header }: ResponseHead): boolean {
  return statusCode === 101 && hasToken(header, 'connection', 'upgrade') && (headerValues(header, 'upgrade')[0] ?? '') !== '';
}
