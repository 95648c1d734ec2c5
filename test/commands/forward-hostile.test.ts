import { createHash } from 'node:crypto';
import { createServer, type Server, request as sendRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { CliError } from '../../src/client/cli-error.js';
import { connectToCluster } from '../../src/cluster/connect.js';
import { podStreams } from '../../src/cluster/port-forward/open-pod-stream.js';
import { controlFrame, controls, dataFrame, finFlag, numbers, resetFrame } from '../../src/encoding/spdy/spdy-frames.js';
import { frameOf, opcodes, webSocketGuid } from '../../src/encoding/web-socket-frames.js';
import { configuration, type Hook, node, pod, service, startHook } from '../support/cluster-webhook.js';
import { kubeconfigText, type LocalCluster, startLocalCluster } from '../support/local-cluster.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Answers a request for the port of a pod. */
type Answer = (socket: Duplex, key: string) => void;

let hook: Hook;
let cluster: LocalCluster;
let front: Server;
let answer: Answer = () => undefined;
let files: ReturnType<typeof temporaryFolder>;
let url: string;

/** An API server that answers everything as another one does, except requests for ports of pods. */
beforeAll(async () => {
  hook = await startHook();
  cluster = await startLocalCluster([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
    ...[node, configuration('ValidatingWebhookConfiguration', 'web', { service: 'web', path: '/validate', ca: hook.ca })],
    service('web', { type: 'ClusterIP', selector: { app: 'web' }, ports: [{ port: 443, targetPort: 8443, protocol: 'TCP' }] }),
    pod('web-0', { app: 'web' }),
  ]);
  const pair = await issueServingPair({ dns: [], ips: ['127.0.0.1'] }, new Date());
  front = createServer({ cert: pair.cert, key: pair.key }, (incoming, outgoing) => {
    const { method, headers } = incoming;
    const passed = sendRequest(`${cluster.server.url}${incoming.url}`, { method, headers, ca: cluster.ca }, response => {
      response.pipe(outgoing.writeHead(response.statusCode ?? 500, response.headers));
    });
    incoming.pipe(passed);
  });
  front.on('upgrade', (incoming, socket) => {
    socket.on('error', () => socket.destroy());
    // Otherwise the client's end is not noticed.
    socket.resume();
    answer(socket, incoming.headers['sec-websocket-key'] ?? '');
  });
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(front.address() as AddressInfo).port}`;
  files = temporaryFolder({
    kubeconfig: kubeconfigText({ server: url, ca: pair.ca, users: { local: 'admin-token' } }),
    'map.yaml': '{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: team, labels: {for: web}}}',
  });
});

afterAll(async () => {
  front.closeAllConnections();
  await new Promise<void>(resolve => front.close(() => resolve()));
  await Promise.all([cluster.close(), hook.close()]);
  files.remove();
});

async function review(answered: Answer, timeout: string): Promise<CommandResult> {
  answer = answered;
  const target = ['--kubeconfig', 'kubeconfig', '--context', 'local', '--cluster-timeout', timeout];
  return runCommand(Review, ['--forward', ...target, '-f', 'map.yaml'], { cwd: files.folder });
}

const handshake = (key: string, more: Record<string, string> = {}): string => {
  const accept = createHash('sha1').update(`${key}${webSocketGuid}`).digest('base64');
  const headers = {
    ...{ Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Accept': accept, 'Sec-WebSocket-Protocol': 'v4.channel.k8s.io' },
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n');
};

const binary = (...bytes: number[]): Buffer => frameOf(opcodes.binary, Buffer.from(bytes));
/** Both channels of port 8443. */
const opening = Buffer.concat([binary(0, 0xfb, 0x20), binary(1, 0xfb, 0x20)]);

const upgraded =
  (...frames: Uint8Array[]): Answer =>
  (socket, key) =>
    void socket.write(Buffer.concat([Buffer.from(handshake(key)), ...frames]));

const ended =
  (...frames: Uint8Array[]): Answer =>
  (socket, key) =>
    void socket.end(Buffer.concat([Buffer.from(handshake(key)), ...frames]));

const tunnel = { 'Sec-WebSocket-Protocol': 'SPDY/3.1+portforward.k8s.io' };

/** SPDY's frames, each in a message of a WebSocket. */
const messages = (...frames: Uint8Array[]): Buffer => Buffer.concat(frames.map(frame => frameOf(opcodes.binary, frame)));

/** Answers of a kubelet for both streams; their headers are not read. */
const replies = Buffer.concat([1, 3].map(stream => controlFrame(controls.reply, numbers(stream))));

const tunnelled =
  (...frames: Uint8Array[]): Answer =>
  (socket, key) =>
    void socket.write(Buffer.concat([Buffer.from(handshake(key, tunnel)), messages(...frames)]));

const notOfServer = 'does not forward ports as an API server does:';

describe('review --forward with an API server that does not follow the protocol', () => {
  it.each<[string, Answer, number, string]>([
    ['closes at once', socket => socket.end(), 3, 'cannot be reached: the connection was closed; check that'],
    ['resets the connection', socket => socket.destroy(), 3, 'cannot be reached: the connection was closed; check that'],
    [
      'closes within the handshake',
      (socket, key) => socket.end(handshake(key).slice(0, 40)),
      3,
      'cannot be reached: the connection was closed; check that',
    ],
    [
      'answers with other text',
      socket => socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
      3,
      'cannot be reached: Response does not match the HTTP/1.1 protocol (',
    ],
    ['closes after the handshake', ended(), 3, 'closed the connection to port 8443 of pod team/web-0'],
    ['closes in the first message', ended(opening.subarray(0, 7)), 3, 'closed the connection to port 8443 of pod team/web-0'],
    ['closes after the first messages', ended(opening), 3, 'closed the connection to port 8443 of pod team/web-0'],
    [
      'answers with another subprotocol',
      (socket, key) => socket.write(handshake(key, { 'Sec-WebSocket-Protocol': 'v5.channel.k8s.io' })),
      3,
      `${notOfServer} it answers with the subprotocol "v5.channel.k8s.io" instead of SPDY/3.1+portforward.k8s.io or v4.channel.k8s.io`,
    ],
    [
      'names a subprotocol with control characters',
      (socket, key) => socket.write(handshake(key, { 'Sec-WebSocket-Protocol': 'a\u001b[31m"b' })),
      3,
      'cannot be reached: Response does not match the HTTP/1.1 protocol (Invalid header value char); check',
    ],
    [
      'switches to SPDY',
      (socket, key) => socket.write(handshake(key, { Upgrade: 'SPDY/3.1' })),
      3,
      `${notOfServer} it switches to another protocol than WebSocket`,
    ],
    ['answers another request', socket => socket.write(handshake('other')), 3, `${notOfServer} its answer does not belong to the request`],
    ['sends data for unknown channels', upgraded(opening, binary(2, 0xfb, 0x20)), 3, `${notOfServer} it sends data for channel 2`],
    ['starts with an unknown channel', upgraded(binary(255, 1)), 3, `${notOfServer} it sends data for channel 255`],
    ['forwards another port', upgraded(binary(0, 80, 0)), 3, `${notOfServer} it forwards port 80 instead of 8443`],
    ['sends text', upgraded(opening, frameOf(opcodes.text, Buffer.from('a'))), 3, `${notOfServer} it sends frames of type 1`],
    ['sends a reserved frame', upgraded(frameOf(15, Buffer.from('a'))), 3, `${notOfServer} it sends frames of type 15`],
    [
      'sends masked frames',
      upgraded(frameOf(opcodes.binary, Buffer.from([0, 0xfb, 0x20]), Buffer.from([1, 2, 3, 4]))),
      3,
      `${notOfServer} it sends masked frames`,
    ],
    [
      'continues nothing',
      upgraded(frameOf(opcodes.continuation, Buffer.from([0]))),
      3,
      `${notOfServer} it sends messages in an invalid order`,
    ],
    [
      'announces a message of 2^63 bytes',
      upgraded(Buffer.from([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0])),
      3,
      `${notOfServer} it sends messages of more than 1 MiB`,
    ],
    ['sends data for unknown streams', tunnelled(replies, dataFrame(5, Buffer.from('a'))), 3, `${notOfServer} it sends data for stream 5`],
    ['answers for unknown streams', tunnelled(controlFrame(controls.reply, numbers(7))), 3, `${notOfServer} it answers for stream 7`],
    ['resets unknown streams', tunnelled(replies, resetFrame(2, 5)), 3, `${notOfServer} it answers for stream 2`],
    ['opens streams', tunnelled(replies, controlFrame(controls.openStream, numbers(2, 0, 0))), 3, `${notOfServer} it opens streams`],
    ['sends frames of SPDY 2', tunnelled(Buffer.from([0x80, 2, 0, 2, 0, 0, 0, 0])), 3, `${notOfServer} it sends frames of SPDY 2`],
    [
      'sends a control frame of 16 MiB',
      tunnelled(replies, Buffer.from([0x80, 3, 0, 8, 0, 0xff, 0xff, 0xff])),
      3,
      `${notOfServer} it sends a control frame of 16777215 bytes`,
    ],
    ['sends a short control frame', tunnelled(controlFrame(controls.reply, Buffer.alloc(2))), 3, `${notOfServer} it answers for stream 0`],
    ['resets the stream at once', tunnelled(resetFrame(3, 5)), 3, 'closed the connection to port 8443 of pod team/web-0'],
    [
      'resets the stream after a message',
      tunnelled(replies, dataFrame(1, Buffer.from('no\u001b[2J\n one'), finFlag), resetFrame(3, 5)),
      4,
      'port 8443 of pod team/web-0 cannot be reached: no\\u001b[2J one; check that',
    ],
    [
      'sends frames that need no answer, and a message without an end',
      (socket, key) => {
        const unknown = [controls.settings, controls.windowUpdate, controls.goAway, 99].map(type => controlFrame(type, numbers(3, 0)));
        const endlessMessage = Array.from({ length: 100 }, () => dataFrame(1, Buffer.from('a'.repeat(1000))));
        tunnelled(...unknown, controlFrame(controls.ping, numbers(2)), replies, ...endlessMessage, resetFrame(3, 5))(socket, key);
      },
      4,
      `port 8443 of pod team/web-0 cannot be reached: ${'a'.repeat(1000)}...; check that`,
    ],
    [
      'sends a message of several lines with control characters',
      ended(opening, frameOf(opcodes.binary, Buffer.from('\u0001no\u001b[2J\nsecond line')), frameOf(opcodes.close, Buffer.alloc(0))),
      4,
      'port 8443 of pod team/web-0 cannot be reached: no\\u001b[2J second line; check that',
    ],
    [
      'refuses with a page',
      socket => socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 10\r\nConnection: close\r\n\r\n<html>\nno\n'),
      4,
      'the API server did not forward port 8443 of pod team/web-0: <html> no\n',
    ],
    ['refuses without an end', endless, 4, `the API server did not forward port 8443 of pod team/web-0: ${'a'.repeat(1000)}...\n`],
  ])(
    '%s',
    async (_, answered, code, message) => {
      const started = performance.now();
      const { stderr, stdout, exitCode } = await review(answered, '60s');
      // None waits for what does not come.
      expect(performance.now() - started).toBeLessThan(50_000);
      const start = `error: ${code === 3 ? `the API server ${url} of context "local" ` : ''}${message}`;
      expect(stderr.slice(0, start.length)).toBe(start);
      expect([stdout, exitCode, stderr.split('\n').length, stderr.length < 1200]).toEqual(['', code, 2, true]);
    },
    60_000,
  );

  it('is one error when it never answers', async () => {
    const { stderr, stdout, exitCode } = await review(() => undefined, '1s');
    const start = `error: the API server ${url} of context "local" did not answer within 1s; pass a longer --cluster-timeout`;
    expect([stdout, exitCode, stderr.slice(0, start.length), stderr.split('\n').length]).toEqual(['', 3, start, 2]);
  });
});

function endless(socket: Duplex): void {
  socket.write('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 999999999\r\n\r\n');
  const more = (): void => {
    while (socket.writable && socket.write('a'.repeat(65_536)));
  };
  socket.on('drain', more);
  more();
}

/** Returns the error of a stream to a pod, or of its opening, which ends `openingMs` after the handshake. */
async function streamError(answered: Answer, openingMs = 60_000): Promise<unknown> {
  answer = answered;
  const client = connectToCluster({
    ...{ context: 'local', kubeconfig: path.join(files.folder, 'kubeconfig'), timeoutMs: 60_000 },
    ...{ env: {}, cwd: files.folder, now: () => new Date(), isTerminal: false, onStderr: () => undefined },
  });
  try {
    const stream = await podStreams({ ...client, timeoutMs: openingMs })({ namespace: 'team', pod: 'web-0', port: 8443 });
    return await new Promise(resolve =>
      stream
        .once('error', resolve)
        .once('close', () => resolve(undefined))
        .resume(),
    );
  } catch (error) {
    return error;
  } finally {
    await client.close();
  }
}

it.each([
  ['answers the handshake only', upgraded()],
  ['accepts one channel only', upgraded(binary(0, 0xfb, 0x20))],
  ['opens no streams of SPDY', tunnelled()],
  ['opens one stream only', tunnelled(replies.subarray(0, 12))],
])('is one error of an API server that %s', async (_, answered) => {
  const error = await streamError(answered, 200);
  expect(error).toBeInstanceOf(CliError);
  const { message, suggestions } = error as CliError;
  expect([message, suggestions]).toEqual([
    `the API server ${url} of context "local" accepted a port-forward, but did not answer within 0.2s`,
    ['pass a longer --cluster-timeout'],
  ]);
});

it.each([
  ['the channels of a kubelet', {}, opening],
  ['SPDY', tunnel, messages(replies)],
])('is one error wherever the API server closes in the handshake and the first messages of %s', async (_, headers, first) => {
  const { length } = handshake('0'.repeat(24), headers);
  for (let end = 0; end <= length + first.length; end += 1) {
    const error = await streamError((socket, key) =>
      socket.end(Buffer.concat([Buffer.from(handshake(key, headers)), first]).subarray(0, end)),
    );
    expect([end, error]).toEqual([end, expect.any(CliError)]);
    const { message } = error as CliError;
    expect([end, message]).toEqual([end, expect.stringContaining(`the API server ${url} of context "local" `)]);
    expect([end, /cannot be reached: |closed the connection to /.test(message), message.includes('\n')]).toEqual([end, true, false]);
  }
});

/** Ends the connection when the client has sent its first bytes over the stream. */
const endsLater =
  (headers: Record<string, string>, first: Uint8Array, end: (socket: Duplex) => void): Answer =>
  (socket, key) => {
    socket.write(Buffer.concat([Buffer.from(handshake(key, headers)), first]));
    let received = 0;
    socket.on('data', (bytes: Buffer) => {
      received += bytes.length;
      // More than the frames that open the streams: a ClientHello.
      if (received > (first === opening ? 0 : 300) && !socket.writableEnded) end(socket);
    });
  };

const closeFrame = frameOf(opcodes.close, Buffer.from([1000 >> 8, 1000 & 0xff]));

it.each<[string, Answer]>([
  ['closes a tunnel', endsLater(tunnel, messages(replies), socket => socket.end(closeFrame))],
  ['ends a tunnel', endsLater(tunnel, messages(replies), socket => socket.end())],
  ['cuts a tunnel', endsLater(tunnel, messages(replies), socket => socket.destroy())],
  ['ends the channels', endsLater({}, opening, socket => socket.end())],
  ['cuts the channels', endsLater({}, opening, socket => socket.destroy())],
])(
  'is one error of an API server that %s in the middle of a TLS handshake',
  async (_, answered) => {
    const started = performance.now();
    const { stdout, stderr, exitCode } = await review(answered, '60s');
    expect([stdout, stderr, exitCode]).toEqual([
      '',
      `error: the API server ${url} of context "local" closed the connection to port 8443 of pod team/web-0\n`,
      3,
    ]);
    // It does not wait for the end of the handshake.
    expect(performance.now() - started).toBeLessThan(50_000);
  },
  60_000,
);

const refused = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n';

it.each<[string, string, string]>([
  ['switches to another protocol', 'Upgrade: websocket', 'it switches to another protocol than SPDY/3.1'],
  ['switches to nothing', 'Connection: close', 'cannot be reached: '],
  [
    'speaks another protocol in it',
    'Upgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io',
    'it answers with the subprotocol "v4.channel.k8s.io" instead of portforward.k8s.io',
  ],
  ['closes', 'Upgrade: SPDY/3.1', 'closed the connection to port 8443 of pod team/web-0'],
])('is one error of an API server that refuses WebSockets and %s', async (_, headers, message) => {
  const error = await streamError((socket, key) =>
    socket.end(key === '' ? `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n${headers}\r\n\r\n` : refused),
  );
  expect(error).toBeInstanceOf(CliError);
  expect((error as CliError).message).toContain(message);
});
