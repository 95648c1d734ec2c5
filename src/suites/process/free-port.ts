import { createServer } from 'node:net';

/**
 * A port of the loopback interface that nobody listens on: the system's choice, held for a moment. Another process could take it before the one
 * under test does; systems hand out such ports in turn, so that this takes an accident. Rejects with the system's error.
 */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise<void>(resolve => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}
