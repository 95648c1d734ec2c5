import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** A loopback port on which nothing listens and nothing else will, until it is freed. */
export interface RefusedPort {
  readonly port: number;
  close(): Promise<void>;
}

/** Takes a port with the near end of a connection: it is in use, and whoever connects to it is refused. */
export async function takeRefusedPort(): Promise<RefusedPort> {
  const server = createServer(socket => socket.on('error', () => socket.destroy()).resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return {
    port: socket.localPort ?? 0,
    async close() {
      socket.resetAndDestroy();
      server.close();
      await once(server, 'close');
    },
  };
}
