import { createServer } from 'node:net';

/**
 * Returns a free port of the loopback interface, chosen by the system and released. Another process could take it before the process under
 * test does, but systems assign such ports in rotation. Rejects with the system's error.
 */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise<void>(resolve => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** Returns that many different free ports. Rejects with the system's error. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
