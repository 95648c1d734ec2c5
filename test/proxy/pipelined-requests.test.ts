import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { issueServingPair } from '../../src/certificates/issue.js';
import { faultChooser } from '../../src/proxy/faults.js';
import { type RunningProxy, startProxy } from '../../src/proxy/start-proxy.js';
import { upstreamAt } from '../../src/proxy/upstream.js';

let webhook: Server;
let proxy: RunningProxy;
let pair: Awaited<ReturnType<typeof issueServingPair>>;

/** A webhook that reads everything and never answers. */
beforeEach(async () => {
  pair = await issueServingPair({ dns: [], ips: [] }, new Date());
  webhook = createServer({ cert: pair.cert, key: pair.key }, socket => socket.on('error', () => undefined).resume());
  webhook.listen(0, '127.0.0.1');
  await once(webhook, 'listening');
});

afterEach(async () => {
  await proxy.close();
  webhook.close();
});

async function connected(isGated: boolean): Promise<TLSSocket> {
  const { port } = webhook.address() as AddressInfo;
  proxy = await startProxy({
    upstream: upstreamAt(new URL(`https://127.0.0.1:${port}`), Buffer.from(pair.ca)),
    ...{ cert: pair.cert, key: pair.key, host: '127.0.0.1', port: 0 },
    choose: isGated ? faultChooser([], { random: () => 0.5, isMatch: () => false }) : undefined,
    onExchange: () => undefined,
    onUnreachable: () => undefined,
    now: () => new Date(),
    elapsedMs: () => 0,
  });
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(proxy.origin).port), ca: pair.ca, ALPNProtocols: ['http/1.1'] });
  socket.on('error', () => undefined).resume();
  await once(socket, 'secureConnect');
  return socket;
}

/** Sends requests one after another as fast as the proxy takes them; returns the number of those that were sent when it stopped to take them, or closed the connection. */
async function requestsTaken(
  socket: TLSSocket,
  { count, bodyBytes }: { readonly count: number; readonly bodyBytes: number },
): Promise<number> {
  const request = Buffer.concat([
    Buffer.from(`POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${bodyBytes}\r\n\r\n`),
    Buffer.alloc(bodyBytes, 'a'),
  ]);
  let sent = 0;
  const send = (): void => {
    if (sent >= count || !socket.writable) return;
    socket.write(request, () => {
      sent += 1;
      send();
    });
  };
  send();
  let before = -1;
  const isStill = (): boolean => {
    const still = sent === before;
    before = sent;
    return still || socket.destroyed;
  };
  await expect.poll(isStill, { interval: 2000, timeout: 60_000 }).toBe(true);
  return sent;
}

describe('requests before answers on one connection of a proxy', { timeout: 90_000 }, () => {
  it('wait at the client if they are held for faults', async () => {
    const socket = await connected(true);
    expect(await requestsTaken(socket, { count: 60, bodyBytes: 8 * 1024 * 1024 })).toBeLessThan(6);
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  });

  it.each([
    ['large', { count: 60, bodyBytes: 8 * 1024 * 1024 }, 12],
    ['small', { count: 5000, bodyBytes: 10_000 }, 2500],
  ])('end the connection if they are passed on: %s ones', async (_, requests, max) => {
    const socket = await connected(false);
    expect(await requestsTaken(socket, requests)).toBeLessThan(max);
    expect(socket.destroyed).toBe(true);
  });
});
