import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** An HTTP proxy on loopback that connects to what CONNECT names. */
export interface ConnectProxy {
  readonly port: number;
  /** Address and credentials of each request. */
  readonly connects: readonly (readonly [address: string | undefined, authorization: string | undefined])[];
  /** Ends all connections at once. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
}

export async function startConnectProxy(): Promise<ConnectProxy> {
  const connects: [string | undefined, string | undefined][] = [];
  const sockets = new Set<Duplex>();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const proxy = createServer().on('connect', (request, socket) => {
    connects.push([request.url, request.headers['proxy-authorization']]);
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    sockets.add(socket.on('close', () => sockets.delete(socket) && upstream.destroy()));
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    connects,
    cut,
    close: () => {
      cut();
      proxy.closeAllConnections();
      return new Promise(resolve => proxy.close(() => resolve()));
    },
  };
}
