import { once } from 'node:events';
import { request } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import Apiserver from '../../commands/apiserver.js';
import Playground from '../../commands/playground.js';
import ProxyCommand from '../../commands/proxy.js';
import Serve from '../../commands/serve.js';
import { type Random, randomFrom } from '../differential/random.js';
import type { CommandClass } from '../support/run-command.js';
import { type Closing, startCommand } from '../support/started-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { answerOf, closeServers, listen, listenTls, onRequest } from '../transport/loopback.js';
import { randomInput } from './readers/random-input.js';

const runs = 60;
/** A server may wait for the rest of a message; the client then leaves. */
const longestMs = 150;
const opened: Closing[] = [];
afterAll(async () => {
  closeServers();
  for (const one of opened.reverse()) await one.close();
});

const review = JSON.stringify({
  ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
  request: { uid: 'u', kind: { group: '', version: 'v1', kind: 'Pod' }, operation: 'CREATE', object: { metadata: { name: 'a' } } },
});
const http1 = (line: string, body: string, type = 'application/json'): string =>
  `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const frame = (type: number, flags: number, stream: number, payload: Buffer): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};
const settings = frame(4, 0, 0, Buffer.alloc(0));
const http2Request = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  settings,
  frame(1, 4, 1, Buffer.from('83878441093132372e302e302e31', 'hex')),
  frame(0, 1, 1, Buffer.from(review)),
]);
const protobuf = '6b3873000a0f0a0276311209436f6e6669674d617012050a030a0161';

/** What clients send, which is changed at random. */
const requests = [
  Buffer.from(http1('POST /?timeout=1s', review)),
  Buffer.from(http1('GET /api/v1/namespaces?watch=1&timeoutSeconds=1', '')),
  Buffer.from(
    http1(
      'POST /api/v1/namespaces/default/configmaps',
      Buffer.from(protobuf, 'hex').toString('latin1'),
      'application/vnd.kubernetes.protobuf',
    ),
    'latin1',
  ),
  Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
  http2Request,
];

/** The first record of a TLS client. */
async function clientHello(): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connectTls({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => {});
  const [socket] = await once(server, 'connection');
  const [hello] = await once(socket, 'data');
  client.destroy();
  socket.destroy();
  server.close();
  return hello;
}

interface Attacked {
  readonly port: number;
  readonly isTls: boolean;
}

/** Sends bytes, and returns how many come back until the server closes the connection. */
function exchanged(bytes: Buffer, { port, protocol }: { readonly port: number; readonly protocol: string | undefined }): Promise<number> {
  const to = { port, host: '127.0.0.1' };
  const socket = protocol === undefined ? connect(to) : connectTls({ ...to, rejectUnauthorized: false, ALPNProtocols: [protocol] });
  let count = 0;
  return new Promise(resolve => {
    const timer = setTimeout(() => socket.destroy(), longestMs);
    socket.on('data', chunk => {
      count += chunk.length;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(count);
    });
    socket.end(bytes);
  });
}

async function attack({ port, isTls }: Attacked, random: Random): Promise<void> {
  const hello = await clientHello();
  const sent = Array.from({ length: runs }, () => {
    const protocol = isTls && random.chance(75) ? random.pick(['http/1.1', 'h2']) : undefined;
    return { bytes: randomInput(random, protocol === undefined ? [hello, ...requests] : requests), protocol };
  });
  for (let at = 0; at < sent.length; at += 12) {
    const counts = sent
      .slice(at, at + 12)
      .map(async ({ bytes, protocol }) => (await exchanged(bytes, { port, protocol })) / (1000 + bytes.length));
    // No answer is much longer than what was sent.
    expect(Math.max(...(await Promise.all(counts)))).toBeLessThan(200);
  }
}

/** Returns the status and the length of the answer to a correct request. */
function answered(url: string): Promise<string> {
  if (url.startsWith('http:')) return fetch(url).then(async response => `${response.status} ${(await response.text()).length}`);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', rejectUnauthorized: false, agent: false }, async response => {
      resolve(`${response.statusCode} ${Buffer.concat(await response.toArray()).length}`);
    });
    sent.on('error', reject);
    sent.end(review);
  });
}

describe('random bytes', { timeout: 60_000 }, () => {
  const servers: readonly [string, CommandClass, readonly string[]][] = [
    ['serve', Serve, ['--handler', 'allow']],
    ['apiserver', Apiserver, []],
    ['proxy', ProxyCommand, ['--to', 'https://127.0.0.1:9']],
    ['playground', Playground, []],
  ];

  it.each(servers)('do not keep %s from answering', async (name, command, argv) => {
    const { folder, remove } = temporaryFolder();
    opened.push({ close: remove });
    const [url = ''] = await startCommand(command, argv, { cwd: folder, env: { BROWSER: 'none' }, opened }, [
      /(https?:\/\/127\.0\.0\.1:\d+)/,
    ]);
    const before = await answered(url);
    await attack({ port: Number(new URL(url).port), isTls: url.startsWith('https:') }, randomFrom(name.length));
    expect(await answered(url)).toBe(before);
  });

  it.each(['HTTP/1.1', 'HTTP/2'])('as answers in %s are errors of a call, not of this program', async version => {
    const random = randomFrom(5);
    const body = '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"u","allowed":true}}';
    const http1Answers = [
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: a\r\n\r\n4\r\n{"a"\r\n3;x=y\r\n:1}\r\n0\r\na: b\r\n\r\n`,
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 302 Found\r\nLocation: /\r\n\r\n',
    ].map(text => Buffer.from(text));
    const http2Answer = Buffer.concat([
      settings,
      frame(4, 1, 0, Buffer.alloc(0)),
      frame(1, 4, 1, Buffer.from([0x88])),
      frame(0, 1, 1, Buffer.from(body)),
    ]);
    const next = (): Buffer => randomInput(random, version === 'HTTP/2' ? [http2Answer] : http1Answers);
    const port =
      version === 'HTTP/2'
        ? await listenTls(socket => socket.once('data', () => socket.end(next())), { ALPNProtocols: ['h2'] })
        : await listen(onRequest(socket => socket.end(next())));
    const url = version === 'HTTP/2' ? 'https://127.0.0.1:PORT/' : 'http://127.0.0.1:PORT/';
    for (let run = 0; run < runs; run += 1) {
      const text = await answerOf(port, { url, deadlineMs: longestMs }, { allowHttp: true });
      expect(text).toMatch(/^(?:\d{3} |Post |unexpected error|an error)/);
      expect(text.length).toBeLessThan(20_000);
    }
  });
});
