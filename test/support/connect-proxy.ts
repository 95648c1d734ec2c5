import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** An HTTP proxy on loopback that connects to what CONNECT names. */
export interface ConnectProxy {
  readonly port: number;
  /** Address and credentials of each request. */
  readonly connects: readonly (readonly [address: string | undefined, authorization: string | undefined])[];
  readonly close: () => Promise<void>;
}

export async function startConnectProxy(): Promise<ConnectProxy> {
  const connects: [string | undefined, string | undefined][] = [];
  const proxy = createServer().on('connect', (request, socket) => {
    connects.push([request.url, request.headers['proxy-authorization']]);
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    connects,
    close: () => {
      proxy.closeAllConnections();
      return new Promise(resolve => proxy.close(() => resolve()));
    },
  };
}
