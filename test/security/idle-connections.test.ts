import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectHttp2, createSecureServer } from 'node:http2';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer, type TLSSocket } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type InMemoryCertificates, issueServingPair } from '../../src/certificates/issue.js';
import { endDeadSession } from '../../src/local-apiserver/http/dead-sessions.js';
import { listenForApi } from '../../src/local-apiserver/http/listener.js';
import { startProxy } from '../../src/proxy/start-proxy.js';
import { upstreamAt } from '../../src/proxy/upstream.js';
import { allowHalfOpenConnections } from '../../src/webhook-server/http/half-open.js';
import { createHttp2Connections } from '../../src/webhook-server/http/http2.js';
import { listen } from '../../src/webhook-server/http/listener.js';
import { hostileRequests } from './requests/hostile-requests.js';

let pair: InMemoryCertificates;
const opened: (() => void)[] = [];
beforeAll(async () => {
  pair = await issueServingPair({ dns: [], ips: [] }, new Date());
});
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** Frames of HTTP/2: the preface, and settings. */
const greeting = Buffer.from('505249202a20485454502f322e300d0a0d0a534d0d0a0d0a000000040000000000', 'hex');
const long = 60_000;
const short = 100;
/** Of this process, which Node raises as far as the system lets it. */
const maxOpenFiles = spawnSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).stdout.trim();
const hasDescriptors = maxOpenFiles === 'unlimited' || Number(maxOpenFiles) > 5000;

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

function plainClient(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  opened.push(() => socket.destroy());
  return socket.on('error', () => undefined);
}

function tlsClient(port: number, protocol: string): TLSSocket {
  const plain = plainClient(port);
  const socket = connectTls({ socket: plain, rejectUnauthorized: false, ALPNProtocols: [protocol] });
  return socket.on('error', () => undefined);
}

/** Resolves when the server has closed a connection. */
async function closed(socket: Socket): Promise<void> {
  socket.resume();
  if (!socket.destroyed) await once(socket, 'close');
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))));

describe('a connection on which nothing happens is closed', { timeout: 20_000 }, () => {
  it('by the API server when an HTTP/2 client does not answer a ping, but not when it does', async () => {
    const server = createSecureServer({ cert: pair.cert, key: pair.key });
    server.on('session', session => endDeadSession(session, () => session.destroy(), { idleMs: short, answerMs: 5 * short }));
    const port = await portOf(server);
    const there = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    there.on('error', () => undefined);
    opened.push(() => there.destroy());
    await once(there, 'connect');
    let pings = 0;
    there.on('ping', () => {
      pings += 1;
    });
    const gone = tlsClient(port, 'h2');
    gone.write(greeting);
    await closed(gone);
    await expect.poll(() => pings).toBeGreaterThan(3);
    expect(there.destroyed).toBe(false);
  });

  it('by serve after HTTP/2 frames that are errors, of which Node closes none', async () => {
    const idle = { idleMs: short, goodbyeMs: short };
    const connections = createHttp2Connections({ handle: () => ({ status: 200, headers: [], body: '' }), onFault: () => undefined }, idle);
    const server = createServer({ cert: pair.cert, key: pair.key, ALPNProtocols: ['h2'] }, socket => connections.serve(socket));
    const port = await portOf(server);
    await Promise.all(
      hostileRequests
        .filter(({ protocol }) => protocol === 'h2')
        .map(({ bytes }) => {
          const socket = tlsClient(port, 'h2');
          socket.write(bytes);
          return closed(socket);
        }),
    );
    await expect.poll(() => connectionsOf(server)).toBe(0);
  });

  it('by serve and proxy when a client has closed its side, or was reset, and there is no answer', async () => {
    const server = createServer({ cert: pair.cert, key: pair.key, ALPNProtocols: ['h2', 'http/1.1'] }, socket => {
      // A handler that does not end.
      socket.on('error', () => undefined).resume();
    });
    allowHalfOpenConnections(server, short);
    const port = await portOf(server);
    for (const protocol of ['h2', 'http/1.1']) {
      const ended = tlsClient(port, protocol);
      ended.end(greeting);
      await closed(ended);
      const reset = plainClient(port);
      const secured = connectTls({ socket: reset, rejectUnauthorized: false, ALPNProtocols: [protocol] });
      secured.on('error', () => undefined);
      await once(secured, 'secureConnect');
      secured.write(greeting, () => reset.resetAndDestroy());
      await closed(reset);
    }
    await expect.poll(() => connectionsOf(server), { timeout: 5000 }).toBe(0);
  });

  it('by serve and proxy not before the answer to a client that has closed its side', async () => {
    const server = createServer({ cert: pair.cert, key: pair.key }, socket => {
      socket.on('end', () => setTimeout(() => socket.end('the answer'), short)).resume();
    });
    allowHalfOpenConnections(server, long);
    const client = tlsClient(await portOf(server), 'http/1.1');
    client.end('a question');
    expect((await client.toArray()).join('')).toBe('the answer');
  });

  it('by serve and proxy when the TLS handshake does not go on', async () => {
    const served = await listen({
      ...{ handle: () => ({ status: 200, headers: [], body: '' }), host: '127.0.0.1', port: 0, onFault: () => undefined },
      tls: { cert: pair.cert, key: pair.key, handshakeTimeout: short },
    });
    opened.push(() => void served.close(0));
    const proxy = await startProxy({
      upstream: upstreamAt(new URL('https://127.0.0.1:9'), Buffer.from(pair.ca)),
      ...{ cert: pair.cert, key: pair.key, host: '127.0.0.1', port: 0, choose: undefined, handshakeTimeoutMs: short },
      ...{ onExchange: () => undefined, onUnreachable: () => undefined, now: () => new Date(), elapsedMs: () => 0 },
    });
    opened.push(() => void proxy.close());
    for (const port of [served.port, Number(new URL(proxy.origin).port)]) {
      const silent = plainClient(port);
      const half = plainClient(port);
      half.write(Buffer.from('16030100f0010000ec0303', 'hex'));
      await Promise.all([closed(silent), closed(half)]);
    }
  });
});

describe.runIf(hasDescriptors)('connections of the API server', { timeout: 60_000 }, () => {
  it('are at most 2048: further ones are closed at once, until others end', async () => {
    const server = await listenForApi({
      ...{ host: '127.0.0.1', port: 0, cert: pair.cert, key: pair.key, authorities: { clients: undefined, proxies: undefined } },
      answer: () => Promise.reject(new Error('no request')),
    });
    opened.push(() => void server.close());
    const kept: Socket[] = [];
    // Fewer at a time than wait in the queue of the system.
    while (kept.length < 2048) {
      const next = Array.from({ length: 128 }, () => plainClient(server.port));
      await Promise.all(next.map(socket => once(socket, 'connect')));
      kept.push(...next);
    }
    await Promise.all(Array.from({ length: 5 }, () => closed(plainClient(server.port))));
    const secured = (): Promise<boolean> => {
      const socket = tlsClient(server.port, 'http/1.1');
      const connected = once(socket, 'secureConnect').then(
        () => true,
        () => false,
      );
      return Promise.race([connected, closed(socket).then(() => false)]);
    };
    expect(await secured()).toBe(false);
    kept.pop()?.destroy();
    await expect.poll(secured).toBe(true);
    expect(kept.filter(socket => socket.destroyed)).toEqual([]);
  });
});
