import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { type BodyRead, ConnectionAborted, type HeaderFields, type HttpHandler, type HttpRequest, type HttpResponse } from './message.js';
import { parseRequestTarget } from './request-target.js';
import { httpDate } from './write-response.js';

export interface Http2Options {
  readonly handle: HttpHandler;
  readonly onFault: (error: unknown) => void;
}

/** HTTP/2 server for connections that negotiated it. */
export interface Http2Connections {
  serve(socket: Duplex): void;
  /** Waits for open streams, then closes the connections. */
  close(): void;
}

const maxHeaderBytes = 1024 * 1024;
/** After `idleMs` without a frame a connection is closed; `goodbyeMs` is for the answers that are still sent. */
const patience = { idleMs: 90_000, goodbyeMs: 5000 };

/** Returns an HTTP/2 server for sockets that another server accepts. */
export function createHttp2Connections({ handle, onFault }: Http2Options, { idleMs, goodbyeMs } = patience): Http2Connections {
  const sessions = new Set<{ close(): void; destroy(): void }>();
  const server: Http2Server = createServer({
    // Node limits the number of pairs; Go limits only bytes.
    maxHeaderListPairs: 1_000_000,
    maxSessionMemory: 64,
    settings: { maxHeaderListSize: maxHeaderBytes, maxConcurrentStreams: 250, enablePush: false },
  } as object);
  let accepted: Duplex | undefined;
  server.on('session', session => {
    const socket = accepted;
    sessions.add(session);
    session.on('error', () => session.destroy());
    session.setTimeout(idleMs, () => {
      session.close();
      // After errors in frames, Node leaves the connection open.
      setTimeout(() => socket?.destroy(), goodbyeMs).unref();
    });
    session.on('close', () => sessions.delete(session));
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    void answer(stream, requestOf(stream, headers), handle).catch(error => {
      if (!(error instanceof ConnectionAborted)) onFault(error);
      stream.close(2);
    });
  });
  return {
    serve: socket => {
      accepted = socket;
      server.emit('connection', socket);
      accepted = undefined;
    },
    close() {
      for (const session of sessions) session.close();
    },
  };
}

async function answer(stream: ServerHttp2Stream, request: HttpRequest | undefined, handle: HttpHandler): Promise<void> {
  if (request === undefined) {
    stream.close(1);
    return;
  }
  const response: HttpResponse = await handle(request);
  if (stream.destroyed) return;
  const isHead = request.method === 'HEAD';
  const fields = Object.fromEntries([...response.headers].map(([name, value]) => [name.toLowerCase(), value]));
  stream.respond(
    { ':status': response.status, ...fields, 'content-length': Buffer.byteLength(response.body), date: httpDate() },
    { endStream: isHead || response.body === '' },
  );
  if (!isHead && response.body !== '') stream.end(response.body);
  // Further data from the client is not needed: Go resets the stream without an error.
  if (!stream.readableEnded) stream.resume();
}

function requestOf(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): HttpRequest | undefined {
  const method = String(headers[':method'] ?? '');
  const url = String(headers[':path'] ?? '');
  const target = parseRequestTarget(method, method === 'CONNECT' ? String(headers[':authority'] ?? '') : url);
  if (target === undefined) return undefined;
  return {
    method,
    url,
    target,
    headers: fieldsOf(headers),
    // Go's HTTP/2 server gives every request a body, also those that end with their headers.
    hasBody: true,
    readBody: limit => readStream(stream, limit),
  };
}

function fieldsOf(headers: IncomingHttpHeaders): HeaderFields {
  const fields = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':')) fields.set(name, Array.isArray(value) ? value : [value]);
  }
  const authority = headers[':authority'];
  if (typeof authority === 'string') fields.set('host', [authority]);
  return fields;
}

function readStream(stream: ServerHttp2Stream, limit: number): Promise<BodyRead> {
  const parts: Buffer[] = [];
  let length = 0;
  return new Promise(resolve => {
    const finish = (complete: boolean, error?: string) => {
      stream.off('data', take);
      resolve({ bytes: Buffer.concat(parts).subarray(0, limit), complete, error });
    };
    const take = (bytes: Buffer): void => {
      parts.push(bytes);
      length += bytes.length;
      if (length > limit) finish(false);
    };
    stream.on('data', take);
    stream.once('end', () => finish(true));
    stream.once('aborted', () => finish(false, 'client disconnected'));
  });
}
