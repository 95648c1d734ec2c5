import { connect as connectTcp } from 'node:net';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningApiServer } from '../../src/local-apiserver/start-server.js';
import { startLocalServer } from '../support/local-cluster.js';

const token = 'secret-token';
let server: RunningApiServer;

beforeAll(async () => {
  ({ server } = await startLocalServer({ users: [{ token, username: 'kubernetes-admin', groups: ['system:masters'] }] }));
});
afterAll(() => server.close());

const plain = [`Authorization: Bearer ${token}`, 'Origin: https://127.0.0.1'];
const watch = '/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Ddefault';

/** Sends the request of a WebSocket, and frames once it is open; returns everything until the connection ends. */
function exchanged(path: string, headers: readonly string[] = plain, frames: Uint8Array = closing): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port), rejectUnauthorized: false });
    const lines = ['Connection: keep-alive, Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', ...headers];
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${['Sec-WebSocket-Version: 13', ...lines].join('\r\n')}\r\n\r\n`);
    let hasSent = false;
    socket.on('data', chunk => {
      chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('latin1');
      if (!hasSent && /^HTTP\/1.1 101 [\s\S]*\r\n\r\n[\s\S]*Active/.test(text)) {
        hasSent = true;
        socket.write(frames);
      }
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** A masked frame without contents. */
const closing = Uint8Array.of(0x88, 0x80, 1, 2, 3, 4);

interface Opened {
  readonly head: string;
  readonly frames: readonly { readonly opcode: number; readonly payload: Buffer }[];
}

function opened(bytes: Buffer): Opened {
  const at = bytes.indexOf('\r\n\r\n') + 4;
  const frames: { opcode: number; payload: Buffer }[] = [];
  let rest = bytes.subarray(at);
  while (rest.length > 0) {
    const short = rest[1] ?? 0;
    const start = short === 126 ? 4 : 2;
    const length = short === 126 ? rest.readUInt16BE(2) : short;
    frames.push({ opcode: (rest[0] ?? 0) & 0x0f, payload: rest.subarray(start, start + length) });
    rest = rest.subarray(start + length);
  }
  return { head: bytes.subarray(0, at).toString('latin1'), frames };
}

describe('watches over WebSockets', () => {
  it('send every event as a text message, until the client closes the connection', async () => {
    const { head, frames } = opened(await exchanged(watch));
    expect(head).toBe(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n',
    );
    expect(frames.map(({ opcode }) => opcode)).toEqual([1, 8]);
    const event = frames[0]?.payload.toString('utf8') ?? '';
    expect([JSON.parse(event).type, JSON.parse(event).object.metadata.name, event.endsWith('}\n')]).toEqual(['ADDED', 'default', true]);
    expect(frames[1]?.payload).toEqual(Buffer.from([0x03, 0xe8]));
  });

  it('send protobuf as binary messages without a length', async () => {
    const { frames } = opened(await exchanged(watch, [...plain, 'Accept: application/vnd.kubernetes.protobuf']));
    expect([frames[0]?.opcode, frames[0]?.payload.subarray(0, 7).toString('latin1')]).toEqual([2, '\n\x05ADDED']);
  });

  it('end with their timeout', async () => {
    const { frames } = opened(await exchanged(`${watch}&timeoutSeconds=1`, plain, new Uint8Array()));
    expect(frames.map(({ opcode }) => opcode)).toEqual([1, 8]);
  });

  it('answer pings, and end for frames without a mask', async () => {
    const ping = Uint8Array.of(0x89, 0x82, 1, 1, 1, 1, 'h'.charCodeAt(0) ^ 1, 'i'.charCodeAt(0) ^ 1);
    const { frames } = opened(await exchanged(watch, plain, Buffer.concat([ping, Uint8Array.of(0x81, 0)])));
    expect(frames.map(({ opcode, payload }) => [opcode, opcode === 1 ? '' : payload.toString('latin1')])).toEqual([
      [1, ''],
      [10, 'hi'],
      [8, '\x03\xea'],
    ]);
  });

  it('are closed for a client that sends more after the end, and not kept open by it', async () => {
    const { hostname, port } = new URL(server.url);
    // A client that does not end when the server does.
    const below = connectTcp({ host: hostname, port: Number(port), allowHalfOpen: true });
    const socket = connect({ socket: below, rejectUnauthorized: false });
    const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', ...plain];
    socket.write(`GET ${watch} HTTP/1.1\r\nHost: localhost\r\n${['Sec-WebSocket-Version: 13', ...lines].join('\r\n')}\r\n\r\n`);
    await new Promise(resolve => socket.once('data', resolve));
    const closed = new Promise(resolve => below.once('close', resolve));
    for (const one of [socket, below]) one.on('error', () => undefined);
    socket.resume();
    // The start of a frame of 4 EiB.
    socket.write(Uint8Array.of(0x82, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4));
    const part = Buffer.alloc(16 * 1024);
    const send = (): void => void (below.destroyed || socket.write(part, error => void (error ? undefined : setImmediate(send))));
    send();
    await closed;
  });

  it('choose the protocol that is named, and take a token from one', async () => {
    const encoded = Buffer.from(token).toString('base64url');
    const headers = [`Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.${encoded}, x`, 'Origin: https://127.0.0.1'];
    expect(opened(await exchanged(watch, headers)).head).toContain('\r\nSec-WebSocket-Protocol: x\r\n');
  });

  it.each([
    ['two protocols', [...plain, 'Sec-WebSocket-Protocol: x, y'], 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['no origin', plain.slice(0, 1), 'HTTP/1.1 403 Forbidden\r\n\r\n'],
  ])('are refused with %s', async (_, headers, expected) => {
    expect((await exchanged(watch, headers)).toString('latin1')).toBe(expected);
  });
});

describe('other requests that ask for WebSockets', () => {
  it.each([
    ['/api/v1/namespaces/default', plain, 'HTTP/1.1 200 OK', '"name":"default"'],
    ['/api/v1/nopes?watch=true', plain, 'HTTP/1.1 404 Not Found', 'the server could not find the requested resource'],
    [watch, plain.slice(1), 'HTTP/1.1 403 Forbidden', 'cannot watch resource'],
  ])('are answered as without: %s', async (path, headers, head, body) => {
    const text = (await exchanged(path, headers)).toString('utf8');
    expect([text.startsWith(head), text.includes(body)]).toEqual([true, true]);
  });
});
