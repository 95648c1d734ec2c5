import { setMaxListeners } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { joinHostPort } from '../go/net/host-port.js';
import { allowHalfOpenConnections } from '../webhook-server/http/half-open.js';
import type { ChosenFaults } from './faults.js';
import { serveGated } from './gated-connection.js';
import type { HttpMessage } from './http-messages.js';
import { passThrough, type Watching } from './pass-through.js';
import { unreachableWebhook } from './unreachable.js';
import type { Upstream } from './upstream.js';

export interface ProxyOptions extends Omit<Watching, 'onUnreachable'> {
  readonly upstream: Upstream;
  /** PEM texts. */
  readonly cert: string;
  readonly key: string;
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Chooses faults; without it, bytes are forwarded as they arrive. */
  readonly choose: ((request: HttpMessage) => ChosenFaults) | undefined;
  /** Called with a message if the webhook cannot be reached. */
  readonly onUnreachable: (sentence: string) => void;
  /** Time for a TLS handshake. */
  readonly handshakeTimeoutMs?: number;
}

export interface RunningProxy {
  /** Address without a path, such as `https://127.0.0.1:41234`. */
  readonly origin: string;
  /** Closes all connections and frees the port. */
  close(): Promise<void>;
}

/** Starts the proxy; rejects with the system's error when it cannot listen or the key pair is invalid. */
export async function startProxy({
  upstream,
  cert,
  key,
  host,
  port,
  choose,
  onUnreachable,
  handshakeTimeoutMs = 32_000,
  ...watching
}: ProxyOptions): Promise<RunningProxy> {
  const closing = new AbortController();
  // Every delayed response adds a listener.
  setMaxListeners(0, closing.signal);
  const sockets = new Map<string, Socket>();
  const watched: Watching = {
    ...watching,
    onUnreachable: (error, wasConnected) => {
      const sentence = unreachableWebhook(upstream.origin, error, wasConnected);
      onUnreachable(sentence);
      return sentence;
    },
  };
  const server = createServer({
    ...{ cert, key, handshakeTimeout: handshakeTimeoutMs, minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] },
    noDelay: true,
  } as TlsOptions);
  allowHalfOpenConnections(server);
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    sockets.set(peer, socket);
    socket.once('close', () => sockets.delete(peer));
  });
  server.on('tlsClientError', (_, socket) => socket.destroy());
  server.on('secureConnection', (secured: TLSSocket) => {
    secured.on('error', () => secured.destroy());
    if (choose === undefined) return passThrough(secured, upstream, watched);
    const client = { secured, socket: sockets.get(peerOf(secured)) ?? secured };
    serveGated(client, upstream, { ...watched, choose, closed: closing.signal }).catch(() => secured.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // Beyond the limit of open files, the system closes new connections: the server goes on with the others.
  server.on('error', () => undefined);
  const bound = server.address() as AddressInfo;
  return {
    origin: `https://${joinHostPort(bound.address, bound.port)}`,
    async close() {
      closing.abort();
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      for (const socket of sockets.values()) socket.destroy();
      await closed;
    },
  };
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}
