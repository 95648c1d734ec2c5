import { X509Certificate } from 'node:crypto';
import { type IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { decodeByteString } from '../../go/byte-string.js';
import type { StreamedBody } from '../../kubernetes/backend-call.js';
import { endDeadSession } from './dead-sessions.js';
import { type Backlog, newBacklog } from './event-queue.js';
import type { HttpReply, Incoming, PeerCertificate } from './exchange.js';
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

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

/** Listens for HTTP/2 and HTTP/1.1 over TLS. Rejects with the system's error. */
export async function listenForApi({ host, port, answer, cert, key, authorities }: ListenerOptions): Promise<ApiListener> {
  const limits = {
    ...{ headersTimeout: 32_000, requestTimeout: 0, keepAliveTimeout: 120_000 },
    // Node limits the number of pairs, too; Go limits only bytes. nghttp2 takes 9 frames of headers, and values of 64 KiB.
    ...{ maxHeaderListPairs: maxHeaderBytes, settings: { maxHeaderListSize: maxHeaderBytes, maxFrameSize: 1024 * 1024 } },
  };
  const ca = [authorities.clients, authorities.proxies].filter(text => text !== undefined);
  const handling = { answer, peerOf: ca.length === 0 ? () => undefined : peerReader(authorities), backlog: newBacklog() };
  const server = createSecureServer(
    { cert, key, ca, ...limits, allowHTTP1: true, requestCert: ca.length > 0, rejectUnauthorized: false },
    (request, response) => {
      void handle(request, response, handling);
    },
  );
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
    const client = clientOf(socket);
    sockets.set(client, socket);
    socket.on('close', () => sockets.delete(client));
    socket.on('error', () => socket.destroy());
  });
  server.on('tlsClientError', (_, socket) => socket.destroy());
  server.on('sessionError', () => undefined);
  server.on('session', (session: ServerHttp2Session) => {
    const client = clientOf(session.socket);
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

function clientOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
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
  readonly backlog: Backlog;
}

async function handle(request: Request, response: Response, { answer, peerOf, backlog }: Handling): Promise<void> {
  response.on('error', () => undefined);
  request.on('error', () => undefined);
  try {
    await sendReply(request, response, await answer(incomingOf(request, peerOf)), backlog);
  } catch {
    // The client disconnected.
    response.destroy?.();
    request.socket?.destroy();
  }
}

/** Sends watches over WebSockets, and passes on connections that a reply takes over; other requests are answered as if they did not ask for another protocol, and end their connection. */
async function handleUpgrade(request: IncomingMessage, socket: Duplex, { answer, peerOf, backlog }: Handling): Promise<void> {
  socket.on('error', () => socket.destroy());
  const bodyless = { body: () => Promise.resolve(new Uint8Array()), streamedBody: () => undefined };
  try {
    const reply = await answer({ ...incomingOf(request, peerOf), ...bodyless });
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
    await sendReply(request, response, reply, backlog);
  } catch {
    socket.destroy();
  }
}

function incomingOf(request: Request, peerOf: PeerReader): Incoming {
  const { rawHeaders } = request;
  const socket = socketOf(request);
  // Node reads headers as Latin-1; clients write UTF-8.
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers.push([(rawHeaders[i] ?? '').toLowerCase(), decodeByteString(rawHeaders[i + 1] ?? '')]);
  return {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers,
    peer: peerOf(socket),
    remoteAddress: socket.remoteAddress,
    body: () => readBody(request),
    streamedBody: () => streamedBody(request),
  };
}

/** Returns the connection: over HTTP/2, `request.socket` is another object for each request, and slower. */
function socketOf(request: Request): TLSSocket {
  const socket = 'stream' in request ? request.stream.session?.socket : undefined;
  return (socket ?? request.socket) as TLSSocket;
}

/** Reads a body up to the limit. Rejects when the client disconnects in the middle. */
function readBody(request: Request): Promise<Uint8Array> {
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

function streamedBody(request: Request): StreamedBody | undefined {
  const announced = request.headers['content-length'];
  const isEmpty =
    'stream' in request ? request.stream.endAfterHeaders : announced === undefined && request.headers['transfer-encoding'] === undefined;
  if (isEmpty || announced === '0') return undefined;
  return { length: announced === undefined ? undefined : Number(announced), chunks: request as AsyncIterable<Uint8Array> };
}

/** PEM texts of the CAs for client certificates; undefined if there are none. */
interface ClientAuthorities {
  readonly clients: string | undefined;
  /** Of an authenticating proxy. */
  readonly proxies: string | undefined;
}

type PeerReader = (socket: TLSSocket) => PeerCertificate | undefined;

/** Returns a function that reads the certificate of a connection, once. */
function peerReader({ clients, proxies }: ClientAuthorities): PeerReader {
  const known = new WeakMap<TLSSocket, { readonly peer: PeerCertificate | undefined }>();
  const ofClients = clientCertificatesIn(clients);
  const ofProxies = clientCertificatesIn(proxies);
  return socket => {
    const found = known.get(socket);
    if (found !== undefined) return found.peer;
    const read = { peer: peerOf(socket, ofClients, ofProxies) };
    known.set(socket, read);
    return read.peer;
  };
}

function peerOf(socket: TLSSocket, clients: readonly X509Certificate[], proxies: readonly X509Certificate[]): PeerCertificate | undefined {
  const certificate = socket.getPeerX509Certificate?.();
  if (certificate === undefined) return undefined;
  const { subject, fingerprint256 } = socket.getPeerCertificate();
  const organizations = (subject?.O ?? []) as string | string[];
  const isTrusted = (authorities: readonly X509Certificate[]): boolean => socket.authorized && endsIn(certificate, authorities);
  return {
    commonName: String(subject?.CN ?? ''),
    organizations: Array.isArray(organizations) ? organizations : [organizations],
    digest: fingerprint256.replaceAll(':', '').toLowerCase(),
    // One CA needs no second look.
    isClient: proxies.length === 0 ? socket.authorized : isTrusted(clients),
    isProxy: isTrusted(proxies),
  };
}

/** Reports whether one of the authorities issued the certificate or one of its issuers, which OpenSSL verified. */
function endsIn(certificate: X509Certificate, authorities: readonly X509Certificate[]): boolean {
  const seen = new Set<string>();
  for (let at: X509Certificate | undefined = certificate; at !== undefined && !seen.has(at.fingerprint256); at = at.issuerCertificate) {
    seen.add(at.fingerprint256);
    const issued = at;
    if (authorities.some(authority => issued.checkIssued(authority) && issued.verify(authority.publicKey))) return true;
  }
  return false;
}

/** Throws OpenSSL's error for one that cannot be read. */
export function clientCertificatesIn(pem: string | undefined): X509Certificate[] {
  const blocks = pem?.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map(block => new X509Certificate(block));
}
