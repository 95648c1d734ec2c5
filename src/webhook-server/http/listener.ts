import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions, type Server as TlsServer } from 'node:tls';
import { type ServedConnection, serveConnection } from './connection.js';
import { startDeadlines } from './deadlines.js';
import { allowHalfOpenConnections } from './half-open.js';
import type { Http2Connections } from './http2.js';
import type { HttpHandler } from './message.js';

export interface ListenOptions {
  readonly handle: HttpHandler;
  /** Listen address; '' for all. */
  readonly host: string;
  /** Port; 0 for any free one. */
  readonly port: number;
  /** With TLS: HTTP/2 and HTTP/1.1 on one port, unless `ALPNProtocols` has others. Plain HTTP/1 without it. */
  readonly tls?: TlsOptions | undefined;
  readonly onFault: (error: unknown) => void;
  /** Called when a TLS handshake fails. */
  readonly onHandshakeError?: (error: Error, address: string) => void;
}

export interface Listener {
  readonly address: string;
  readonly port: number;
  /** Sets another certificate for future connections. */
  setSecureContext(pair: { readonly cert: string; readonly key: string }): void;
  /** Stops accepting, and waits for running requests, at most `maxMs`. */
  close(maxMs: number): Promise<void>;
}

const handshakeMs = 32_000;

/** Listens for HTTP connections. Rejects with the system's error. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { handle, host, port, onFault } = options;
  const deadlines = startDeadlines();
  const connections = new Map<Duplex, ServedConnection>();
  let http2: Http2Connections | undefined;
  let isClosing = false;
  /** Most clients of webhooks use HTTP/1: Node's HTTP/2 is loaded when it is needed. */
  const serveHttp2 = async (socket: Duplex): Promise<void> => {
    const { createHttp2Connections } = await import('./http2.js');
    http2 ??= createHttp2Connections({ handle, onFault });
    if (isClosing) socket.destroy();
    else http2.serve(socket);
  };
  const serve = (socket: Duplex): void => {
    const connection = serveConnection(socket, { handle, deadlines, onFault });
    connections.set(socket, connection);
    socket.on('close', () => connections.delete(socket));
    if (isClosing) connection.close();
  };
  const server =
    options.tls === undefined ? plainServer(serve) : tlsServer(options, { serve, serveHttp2: socket => void serveHttp2(socket) });
  /** With those whose handshake has not ended, which no other list has. */
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: host === '' ? undefined : host }, resolve);
  });
  // Beyond the limit of open files, the system closes new connections: the server goes on with the others.
  server.on('error', () => undefined);
  const bound = addressOf(server);
  return {
    address: bound.address,
    port: bound.port,
    setSecureContext: pair => {
      if ('setSecureContext' in server) server.setSecureContext({ ...options.tls, ...pair });
    },
    async close(maxMs) {
      isClosing = true;
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      for (const connection of connections.values()) connection.close();
      http2?.close();
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, maxMs);
      await closed;
      clearTimeout(timer);
      deadlines.stop();
    },
  };
}

function addressOf(server: TcpServer): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address;
}

function plainServer(serve: (socket: Duplex) => void): TcpServer {
  return createTcpServer({ allowHalfOpen: true, noDelay: true }, serve);
}

interface TlsServing {
  readonly serve: (socket: Duplex) => void;
  readonly serveHttp2: (socket: Duplex) => void;
}

function tlsServer({ tls, onHandshakeError }: ListenOptions, { serve, serveHttp2 }: TlsServing): TlsServer {
  const server = createTlsServer({
    ...{ ALPNProtocols: ['h2', 'http/1.1'], handshakeTimeout: handshakeMs },
    // Without certificates of clients no roots are needed: reading those of Node takes milliseconds.
    ...(tls?.requestCert ? {} : { ca: [] }),
    ...tls,
    minVersion: 'TLSv1.2',
    noDelay: true,
  } as TlsOptions);
  allowHalfOpenConnections(server);
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => socket.destroy());
    if (socket.alpnProtocol === 'h2') serveHttp2(socket);
    else serve(socket);
  });
  server.on('tlsClientError', (error: Error, socket: TLSSocket) => {
    onHandshakeError?.(error, `${socket.remoteAddress ?? ''}:${socket.remotePort ?? ''}`);
    socket.destroy();
  });
  return server;
}
