import type { IncomingMessage } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, request } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { effectsFor } from '../../src/cli/shell/effects.js';
import type { RunningApiServer } from '../../src/local-apiserver/start-server.js';
import type { Store } from '../../src/local-apiserver/store/store.js';
import { createTransport } from '../../src/transport/call-webhook.js';
import { startLocalServer } from '../support/local-cluster.js';

const token = 'secret-token';
let server: RunningApiServer;
let port: number;
/** Listeners of the store that watches added. */
let openWatches = 0;
let store: Store;
const agent = new Agent({ keepAlive: true, maxSockets: 2, rejectUnauthorized: false });

beforeAll(async () => {
  const { callWebhook } = createTransport();
  const admin = { token, username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
  const jane = { token: 'token-of-jane', username: 'jane', groups: ['system:authenticated'] };
  ({ server } = await startLocalServer({ users: [admin, jane], effects: () => effectsFor(callWebhook) }));
  port = Number(new URL(server.url).port);
  ({ store } = await server.cluster());
  const { subscribe } = store;
  Object.assign(store, {
    subscribe: (listener: Parameters<typeof subscribe>[0]) => {
      const unsubscribe = subscribe(listener);
      openWatches += 1;
      return () => {
        openWatches -= 1;
        unsubscribe();
      };
    },
  });
});
afterAll(async () => {
  agent.destroy();
  await server.close();
});

interface Answered {
  readonly status: number;
  readonly body: string;
}

function call(method: string, path: string, body = '', authorization: string | undefined = `Bearer ${token}`): Promise<Answered> {
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request(server.url + path, { method, agent, headers }, async (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, n = ''): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { n } });

function tlsConnection(): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Lines of a watch of the ConfigMaps from a version, on a connection of its own. */
async function openWatch(version: string): Promise<{ readonly socket: TLSSocket; readonly text: () => string }> {
  const socket = await tlsConnection();
  socket.on('error', () => undefined);
  const chunks: string[] = [];
  socket.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const path = `${configMaps}?watch=true&resourceVersion=${version}`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await expect.poll(() => chunks.join('')).toContain('\r\n\r\n');
  return { socket, text: () => chunks.join('') };
}

/** Sends a request on a connection of its own, and returns what the server sends until it closes it. */
async function exchange(head: string, body = ''): Promise<string> {
  const socket = await tlsConnection();
  socket.on('error', () => undefined);
  socket.write(`${head}Host: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n${body}`);
  const chunks: string[] = [];
  socket.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  await new Promise(resolve => socket.once('close', resolve));
  return chunks.join('');
}

const versionNow = (): string => String(store.revision());

describe('clients that misbehave', { timeout: 60_000 }, () => {
  it('are answered with 401 for a foreign token and 403 without rights', async () => {
    const foreign = await call('GET', '/api/v1/pods', '', 'Bearer nobody');
    expect(foreign.status).toBe(401);
    expect(JSON.parse(foreign.body)).toMatchObject({ kind: 'Status', reason: 'Unauthorized', message: 'Unauthorized', code: 401 });
    const forbidden = await call('GET', configMaps, '', 'Bearer token-of-jane');
    expect(forbidden.status).toBe(403);
    expect(JSON.parse(forbidden.body).message).toBe(
      'configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
  });

  it('are impersonated with keys of `extra` that every object has', async () => {
    for (const key of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const headers = `Impersonate-User: jane\r\nImpersonate-Extra-${key}: a\r\nImpersonate-Extra-${key}: b\r\nContent-Type: application/json`;
      const review = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
      const answer = await exchange(
        `POST /apis/authentication.k8s.io/v1/selfsubjectreviews HTTP/1.1\r\n${headers}\r\nContent-Length: ${review.length}\r\n`,
        review,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 201 /);
      expect(answer).toContain(`"extra":{"${key.toLowerCase()}":["a","b"]}`);
    }
  });

  it('may send headers of 1 MiB, and get 431 for longer ones and 400 for what is not a request', async () => {
    const start = 'GET /readyz HTTP/1.1\r\n';
    for (const length of [17_000, 70_000, 1_000_000])
      expect(await exchange(`${start}X-A: ${'a'.repeat(length)}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await exchange(`${start}X-A: ${'a'.repeat(1_100_000)}\r\n`)).toMatch(
      /^HTTP\/1\.1 431 [\s\S]*\r\n\r\n431 Request Header Fields Too Large$/,
    );
    expect(await exchange('GET /readyz HTTP/1.1\r\nno header\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\n\r\n400 Bad Request$/);
    expect((await call('GET', '/readyz')).status).toBe(200);
  });

  it('may send longer headers than 64 KiB over HTTP/2', async () => {
    const session = connectHttp2(server.url, { rejectUnauthorized: false, maxSendHeaderBlockLength: 4 * 1024 * 1024 } as object);
    session.on('error', () => undefined);
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`x-${i}`, 'a'.repeat(20)]));
    // Node's client sends frames of 16 KiB, of which nghttp2 takes nine.
    const long = { 'x-a': 'a'.repeat(60_000), 'x-b': 'b'.repeat(60_000) };
    for (const headers of [{ 'x-a': 'a'.repeat(65_000) }, long, many]) {
      const stream = session.request({ ':path': '/readyz', authorization: `Bearer ${token}`, ...headers });
      const status = await new Promise((resolve, reject) => {
        stream.once('response', answer => resolve(answer[':status']));
        stream.once('error', reject);
      });
      stream.close();
      expect(status).toBe(200);
    }
    session.destroy();
  });

  it('get 413 for a body over the limit, and others are served', async () => {
    const socket = await tlsConnection();
    const answer: string[] = [];
    const closed = new Promise(resolve => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (chunk: string) => answer.push(chunk));
    socket.write(
      `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 3000000000\r\n\r\n`,
    );
    const chunk = Buffer.alloc(256 * 1024, 'a');
    const send = (): void => {
      while (socket.writable && socket.write(chunk));
      if (socket.writable) socket.once('drain', send);
    };
    send();
    // The rest of the body is not read.
    await closed;
    expect(answer.join('')).toContain('HTTP/1.1 413');
    expect((await call('GET', '/healthz')).body).toBe('ok');
  });

  it('do not stop others with bytes that are neither TLS nor HTTP, or with half of a request', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        if (i % 3 === 0) {
          const socket = connectTcp(port, '127.0.0.1');
          socket.on('error', () => undefined);
          socket.write(Buffer.from(Array.from({ length: 300 }, (_byte, at) => (at * 37 + i) % 256)));
          return socket;
        }
        const socket = await tlsConnection();
        socket.on('error', () => undefined);
        socket.write(
          i % 3 === 1 ? 'POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: x\r\nContent-Le' : '\x00\x01GARBAGE\r\n\r\n',
        );
        return socket;
      }),
    );
    expect((await call('GET', '/healthz')).body).toBe('ok');
    for (const socket of sockets) socket.destroy();
  });

  it('lose nothing and leave nothing: all watches see all events in order, killed ones are forgotten', async () => {
    const [watches, events] = [30, 40];
    await call('POST', configMaps, configMap('counter', '0'));
    const version = versionNow();
    const opened = await Promise.all(Array.from({ length: 2 * watches }, () => openWatch(version)));
    const [kept, killed] = [opened.slice(0, watches), opened.slice(watches)];
    for (let n = 1; n <= events; n += 1) {
      killed.splice(0, 1)[0]?.socket.destroy();
      expect((await call('PUT', `${configMaps}/counter`, configMap('counter', String(n)))).status).toBe(200);
    }
    const wanted = Array.from({ length: events }, (_, i) => String(i + 1));
    for (const { text, socket } of kept) {
      await expect.poll(() => [...text().matchAll(/"n":"(\d+)"/g)].map(([, n]) => n)).toEqual(wanted);
      socket.destroy();
    }
    await expect.poll(() => openWatches).toBe(0);
  });

  it('that are killed in the middle of anything leave no watch, and others are served', async () => {
    const authorized = `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
    const sent = [
      `GET ${configMaps}?watch=true ${authorized}\r\n`,
      `GET ${configMaps}?watch=true ${authorized}Accept: application/vnd.kubernetes.protobuf\r\n\r\n`,
      `GET ${configMaps}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan ${authorized}\r\n`,
      `GET ${configMaps} ${authorized}\r\n`.repeat(20),
      `POST ${configMaps} ${authorized}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"apiVersion":`,
    ];
    await call('POST', configMaps, configMap('busy', '0'));
    const clients = 150;
    let killed = 0;
    const kill = async (client: number): Promise<void> => {
      const socket = await tlsConnection();
      socket.on('error', () => undefined);
      if (client % 7 === 0) socket.pause();
      else socket.resume();
      socket.write(sent[client % sent.length] ?? '');
      await setTimeout((client * 37) % 41);
      socket.destroy();
      killed += 1;
    };
    const kills = Promise.all(
      Array.from({ length: 15 }, async (_, start) => {
        for (let client = start; client < clients; client += 15) await kill(client);
      }),
    );
    for (let n = 1; killed < clients; n += 1)
      expect((await call('PUT', `${configMaps}/busy`, configMap('busy', String(n)))).status).toBe(200);
    await kills;
    await expect.poll(() => openWatches).toBe(0);
  });

  it('that do not read lose their watch, and nobody else does', async () => {
    const deaf = await tlsConnection();
    deaf.on('error', () => undefined);
    const gone = new Promise(resolve => deaf.once('close', resolve));
    deaf.pause();
    deaf.write(
      `GET ${configMaps}?watch=true&resourceVersion=${versionNow()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    await expect.poll(() => openWatches).toBe(1);
    const big = 'x'.repeat(900_000);
    await call('POST', configMaps, configMap('big'));
    for (let n = 0; n < 40 && openWatches > 0; n += 1) {
      await call('PUT', `${configMaps}/big`, configMap('big', `${n}${big}`));
    }
    expect(openWatches).toBe(0);
    expect((await call('GET', '/healthz')).body).toBe('ok');
    deaf.resume();
    await gone;
  });
});
