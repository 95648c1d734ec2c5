import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** A loopback port that refuses connections until it is freed. */
export interface RefusedPort {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Reserves a port as the local end of a connection: it is in use, and connections to it are refused. 0 reserves any free one; rejects with
 * the system's error when the port is in use.
 */
export async function takeRefusedPort({ host, port } = { host: '127.0.0.1', port: 0 }): Promise<RefusedPort> {
  const server = createServer(socket => socket.on('error', () => socket.destroy()).resume());
  server.listen(0, host);
  await once(server, 'listening');
  const near = port === 0 ? {} : { localPort: port };
  const socket = connect({ port: (server.address() as AddressInfo).port, host, ...near });
  try {
    await once(socket, 'connect');
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    port: socket.localPort ?? 0,
    async close() {
      socket.resetAndDestroy();
      server.close();
      await once(server, 'close');
    },
  };
}
