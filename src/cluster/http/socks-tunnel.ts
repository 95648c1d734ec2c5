import { once } from 'node:events';
import { connect, isIPv4, type Socket } from 'node:net';
import { hostWithoutBrackets, joinHostPort } from '../../go/net/host-port.js';

/** A connection to make through a proxy. */
export interface Tunnel {
  /** `socks5://[USER:PASSWORD@]HOST[:PORT]` */
  readonly proxy: URL;
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

/** Reasons of a SOCKS5 server, by their number. Source: RFC 1928 section 6. */
const refusals = [
  '',
  'general failure',
  'connection not allowed by its rules',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'TTL expired',
  'command not supported',
  'address type not supported',
];

/**
 * Connects to a host through a SOCKS5 proxy, which resolves the name. Rejects when the proxy cannot be reached or refuses. Source: RFC 1928,
 * RFC 1929; x/net internal/socks.
 */
export async function openSocksTunnel(tunnel: Tunnel): Promise<Socket> {
  const { proxy, timeoutMs } = tunnel;
  const socket = connect({ host: hostWithoutBrackets(proxy.hostname), port: Number(proxy.port || 1080) });
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`the proxy ${proxy.host} did not answer in time`)));
  try {
    await once(socket, 'connect');
    await authenticate(socket, proxy);
    await requestHost(socket, tunnel);
    socket.setTimeout(0);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function authenticate(socket: Socket, { username, password, host }: URL): Promise<void> {
  const [user, secret] = [Buffer.from(decodeURIComponent(username)), Buffer.from(decodeURIComponent(password))];
  socket.write(Buffer.from(user.length === 0 ? [5, 1, 0] : [5, 2, 0, 2]));
  const [version, method] = await readBytes(socket, 2);
  if (version !== 5) throw new Error(`the proxy ${host} does not speak SOCKS5`);
  if (method === 0) return;
  if (method !== 2 || user.length === 0) throw new Error(`the proxy ${host} requires other credentials`);
  socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([secret.length]), secret]));
  const [, status] = await readBytes(socket, 2);
  if (status !== 0) throw new Error(`the proxy ${host} did not accept the user name and password`);
}

async function requestHost(socket: Socket, { proxy, host, port }: Tunnel): Promise<void> {
  const name = Buffer.from(host);
  const address = isIPv4(host) ? [1, ...host.split('.').map(Number)] : [3, name.length, ...name];
  socket.write(Buffer.from([5, 1, 0, ...address, port >> 8, port & 0xff]));
  const [, reply = 0, , type] = await readBytes(socket, 4);
  if (reply !== 0)
    throw new Error(`the proxy ${proxy.host} did not connect to ${joinHostPort(host, port)}: ${refusals[reply] ?? `error ${reply}`}`);
  // The address that the proxy uses is of no interest.
  const length = type === 1 ? 4 : type === 4 ? 16 : ((await readBytes(socket, 1))[0] ?? 0);
  await readBytes(socket, length + 2);
}

/** Reads exactly this number of bytes. */
async function readBytes(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const read: Buffer | null = socket.read(count);
    if (read?.length === count) return read;
    if (socket.readableEnded || socket.destroyed) throw new Error('the proxy closed the connection');
    await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  }
}
