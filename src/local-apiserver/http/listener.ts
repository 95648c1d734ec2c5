import { type IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { decodeByteString } from '../../go/byte-string.js';
import { goCipherSuites } from '../../go/cipher-suites.js';
import type { StreamedBody } from '../../kubernetes/backend-call.js';
import { memoize } from '../../kubernetes/memoize.js';
import { type ClientAuthorities, type PeerReader, peerReader } from './client-certificates.js';
import { endDeadSession } from './dead-sessions.js';
import { type Backlog, newBacklog } from './event-queue.js';
import type { HttpReply, Incoming } from './exchange.js';
import { http1Responder, http2Responder, type Responder } from './responder.js';
import { sendReply } from './send-reply.js';
import { asksForWebSocket, sendOverWebSocket } from './web-socket.js';

/** Options of a listener: address, certificate, handler. */
export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  /** PEM: certificate and key. */
  readonly cert: string;
  readonly key: string;
  /** CAs for client certificates; these are ignored without any. */
  readonly authorities: ClientAuthorities;
  readonly answer: (request: Incoming) => Promise<HttpReply>;
}

export interface ApiListener {
  readonly host: string;
  readonly port: number;
  /** Ends all connections and frees the port. */
  close(): Promise<void>;
}

/** Limit of a body, plus one byte to detect longer ones. */
const maxBodyBytes = 3145728 + 1;
const maxConnections = 2048;

/** Go's default, with the room that it adds. Source: net/http DefaultMaxHeaderBytes, initialReadLimitSize. */
const maxHeaderBytes = 1024 * 1024 + 4096;

/** What clients are told: a client with more watches opens more connections. Source: apiserver server/secure_serving.go Serve; for headers net/http h2_bundle.go maxHeaderListSize. */
const settings = {
  maxConcurrentStreams: 100,
  initialWindowSize: 256 * 1024,
  maxFrameSize: 256 * 1024,
  maxHeaderListSize: 1024 * 1024 + 320,
};

/** Listens for HTTP/2 and HTTP/1.1 over TLS. Rejects with the system's error. */
export async function listenForApi({ host, port, answer, cert, key, authorities }: ListenerOptions): Promise<ApiListener> {
  const limits = {
    ...{ headersTimeout: 32_000, requestTimeout: 0, keepAliveTimeout: 120_000 },
    // Node limits the number of pairs, too; Go limits only bytes. nghttp2 takes 9 frames of headers, and values of 64 KiB.
    ...{ maxHeaderListPairs: maxHeaderBytes, settings },
  };
  const ca = [authorities.clients, authorities.proxies].filter(text => text !== undefined);
  const peerOf = ca.length === 0 ? () => undefined : peerReader(authorities);
  const handling: Handling = { answer, peerOf, sessionClientOf: sessionClientReader(peerOf), backlog: newBacklog() };
  const requestCert = ca.length > 0;
  const protocols = { allowHTTP1: true, ciphers: goCipherSuites };
  const server = createSecureServer({ cert, key, ca, ...limits, ...protocols, requestCert, rejectUnauthorized: false });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => void handleHttp1(request, response, handling));
  // Node makes these requests of streams, too.
  server.removeAllListeners('stream');
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _: number, rawHeaders: string[]) => {
    void handleHttp2(stream, headers, rawHeaders, handling);
  });
  // An HTTP/2 server ignores this option for HTTP/1.
  Object.assign(server, { maxHeaderSize: maxHeaderBytes });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => void handleUpgrade(request, socket, handling));
  const sockets = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    if (sockets.size >= maxConnections) {
      socket.destroy();
      return;
    }
    socket.setNoDelay(true);
    const client = addressOf(socket);
    sockets.set(client, socket);
    socket.on('close', () => sockets.delete(client));
    socket.on('error', () => socket.destroy());
  });
  server.on('tlsClientError', (_, socket) => socket.destroy());
  server.on('sessionError', () => undefined);
  server.on('session', (session: ServerHttp2Session) => {
    const client = addressOf(session.socket);
    endDeadSession(session, () => sockets.get(client)?.destroy());
  });
  server.on('clientError', refuseMessage);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // Beyond the limit of open files, the system closes new connections: the server goes on with the others.
  server.on('error', () => undefined);
  const bound = server.address() as AddressInfo;
  return {
    host: bound.address,
    port: bound.port,
    close: () => close(server, sockets.values()),
  };
}

function addressOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`;
}

async function close(server: Http2SecureServer, sockets: Iterable<Socket>): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  for (const socket of sockets) socket.destroy();
  await closed;
}

/** Answers what is not a request as Go does. Source: net/http conn.serve. */
function refuseMessage(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || !error.code?.startsWith('HPE_')) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`);
  // The rest is not read: a client that goes on sending gets a reset.
  socket.once('finish', () => socket.destroy());
}

interface Handling {
  readonly answer: ListenerOptions['answer'];
  readonly peerOf: PeerReader;
  readonly sessionClientOf: (session: ServerHttp2Session) => Client;
  readonly backlog: Backlog;
}

/** Who is at the other end of a connection. */
type Client = Pick<Incoming, 'peer' | 'remoteAddress'>;

async function handleHttp1(request: IncomingMessage, response: ServerResponse, handling: Handling): Promise<void> {
  response.on('error', () => undefined);
  request.on('error', () => undefined);
  await handle(http1Responder(request, response), incomingOf(request, handling), handling);
}

/** Handles the requests of HTTP/2 as Node's own listener does, without its objects. */
async function handleHttp2(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  handling: Handling,
): Promise<void> {
  stream.on('error', () => undefined);
  const { session } = stream;
  if (session === undefined) return;
  const responder = http2Responder(stream, headers);
  if (responder.method === 'CONNECT') {
    stream.respond({ ':status': 405 }, { endStream: true });
    return;
  }
  if (headers.expect === '100-continue') stream.additionalHeaders({ ':status': 100 });
  const incoming: Incoming = {
    method: responder.method,
    url: headers[':path'] ?? '/',
    headers: textHeaders(rawHeaders),
    ...handling.sessionClientOf(session as ServerHttp2Session),
    body: () => readBody(stream),
    streamedBody: () => streamedBody(stream, { headers, isBodyless: stream.endAfterHeaders }),
  };
  await handle(responder, incoming, handling);
}

async function handle(responder: Responder, incoming: Incoming, { answer, backlog }: Handling): Promise<void> {
  try {
    await sendReply(responder, await answer(incoming), backlog);
  } catch {
    // The client disconnected.
    responder.response.destroy();
    responder.disconnect();
  }
}

/** Sends watches over WebSockets, and passes on connections that a reply takes over; other requests are answered as if they did not ask for another protocol, and end their connection. */
async function handleUpgrade(request: IncomingMessage, socket: Duplex, handling: Handling): Promise<void> {
  const { answer, backlog } = handling;
  socket.on('error', () => socket.destroy());
  const bodyless = { body: () => Promise.resolve(new Uint8Array()), streamedBody: () => undefined };
  try {
    const reply = await answer({ ...incomingOf(request, handling), ...bodyless });
    if (reply.stream !== undefined && asksForWebSocket(request)) {
      sendOverWebSocket(request, socket, reply.stream, backlog);
      return;
    }
    if (reply.takeOver !== undefined) {
      reply.takeOver(request, socket);
      return;
    }
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.once('finish', () => (socket as Socket).destroySoon());
    await sendReply(http1Responder(request, response), reply, backlog);
  } catch {
    socket.destroy();
  }
}

function incomingOf(request: IncomingMessage, { peerOf }: Pick<Handling, 'peerOf'>): Incoming {
  const { method = 'GET', url = '/', headers } = request;
  const isBodyless = headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
  return {
    ...{ method, url, headers: textHeaders(request.rawHeaders) },
    ...clientOf(request.socket as TLSSocket, peerOf),
    body: () => readBody(request),
    streamedBody: () => streamedBody(request, { headers, isBodyless }),
  };
}

/** Returns headers with lower-case names. Node reads them as Latin-1; clients write UTF-8. */
function textHeaders(rawHeaders: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers.push([(rawHeaders[i] ?? '').toLowerCase(), decodeByteString(rawHeaders[i + 1] ?? '')]);
  return headers;
}

function clientOf(socket: TLSSocket, peerOf: PeerReader): Client {
  return { peer: peerOf(socket), remoteAddress: socket.remoteAddress };
}

/** Returns a function that reads the client of a session, once: its `socket` is slower than that of a connection. */
function sessionClientReader(peerOf: PeerReader): Handling['sessionClientOf'] {
  return memoize(({ socket }) => clientOf(socket as TLSSocket, peerOf));
}

/** Reads a body up to the limit. Rejects when the client disconnects in the middle. */
function readBody(request: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isRead = false;
    const finish = (): void => {
      isRead = true;
      resolve(Buffer.concat(chunks).subarray(0, maxBodyBytes));
    };
    request.on('data', (chunk: Buffer) => {
      if (length >= maxBodyBytes) return;
      chunks.push(chunk);
      length += chunk.length;
      if (length < maxBodyBytes) return;
      request.pause();
      finish();
    });
    request.once('end', finish);
    // Every request is closed at its end, where an error with its stack would take a fiftieth of the time of a creation.
    request.once('close', () => isRead || reject(new Error('the client disconnected')));
  });
}

function streamedBody(
  chunks: AsyncIterable<Uint8Array>,
  { headers, isBodyless }: { readonly headers: IncomingHttpHeaders; readonly isBodyless: boolean },
): StreamedBody | undefined {
  const announced = headers['content-length'];
  if (isBodyless || announced === '0') return undefined;
  return { length: announced === undefined ? undefined : Number(announced), chunks };
}
