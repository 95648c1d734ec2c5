import { constants, createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Server, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { parseUrl } from '../../src/go/url/parse.js';
import { startDeadline } from '../../src/transport/deadline.js';
import { http2Connection } from '../../src/transport/http2.js';
import { answerOf, certificates, closeServers, started } from './loopback.js';

afterAll(closeServers);

type Behaviour = (stream: ServerHttp2Stream, wire: Socket, headers: IncomingHttpHeaders) => void;

/** Starts a server with HTTP/2 only, and returns the result of a call to it. */
async function answerFrom(behave: Behaviour, deadlineMs = 5_000): Promise<string> {
  const { cert, key } = await certificates();
  const server = createSecureServer({ cert, key, allowHTTP1: false });
  let wire: Socket | undefined;
  server.on('connection', (socket: Socket) => {
    wire = socket;
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    stream.resume();
    stream.on('end', () => wire !== undefined && behave(stream, wire, headers));
  });
  const port = await started(server as unknown as Server);
  return (await answerOf(port, { deadlineMs })).replace('Post "https://127.0.0.1:PORT/validate?timeout=10s": ', 'Post: ');
}

const streamError = 'stream error when reading response body, may be caused by closed connection. Please retry. Original error: ';

describe('a loopback webhook that speaks HTTP/2', () => {
  it('gets the same request', async () => {
    let heard: unknown;
    const given = await answerFrom((stream, _, headers) => {
      heard = { ...headers, ':authority': '' };
      stream.respond({ ':status': 200, 'content-encoding': 'gzip' });
      stream.end(gzipSync('{"ok":true}'));
    });
    expect(given).toBe('200 {"ok":true}');
    expect(heard).toMatchObject({
      ':authority': '',
      ':method': 'POST',
      ':path': '/validate?timeout=10s',
      ':scheme': 'https',
      accept: 'application/json, */*',
      'accept-encoding': 'gzip',
      'content-length': '2',
      'content-type': 'application/json',
      'user-agent': 'kube-apiserver-admission',
    });
  });

  it.each<[string, Behaviour, string]>([
    ['without a body', stream => stream.respond({ ':status': 204 }, { endStream: true }), '204 '],
    [
      'a reset of the stream',
      stream => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
      'Post: stream error: stream ID 1; INTERNAL_ERROR; received from peer',
    ],
    [
      'a farewell',
      stream => stream.session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 1, Buffer.from('too_many_pings')),
      'Post: http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=ENHANCE_YOUR_CALM, debug="too_many_pings"',
    ],
    [
      'a reset of the connection',
      (_, wire) => wire.resetAndDestroy(),
      'Post: read tcp CLIENT->127.0.0.1:PORT: read: connection reset by peer',
    ],
    [
      'a body that is too short',
      stream => {
        stream.respond({ ':status': 200, 'content-length': '10' });
        stream.end('abc');
      },
      'unexpected error when reading response body. Please retry. Original error: unexpected EOF',
    ],
  ])('answers with %s', async (_, behave, expected) => {
    expect(await answerFrom(behave)).toBe(expected);
  });

  it('fails if the body breaks off', async () => {
    const given = await answerFrom(stream => {
      stream.respond({ ':status': 200 });
      stream.write('part', () => setImmediate(() => stream.destroy(new Error('broken'))));
    });
    expect(given).toBe(`${streamError}stream error: stream ID 1; INTERNAL_ERROR; received from peer`);
  });

  it('may retry until the deadline, also with errors', async () => {
    expect(await answerFrom(() => undefined, 80)).toBe('Post: context deadline exceeded');
    expect(await answerFrom(stream => stream.close(constants.NGHTTP2_REFUSED_STREAM), 80)).toBe('Post: context deadline exceeded');
  });
});

describe('a connection whose session has just ended', () => {
  it('is not used again, and fails with its reason', async () => {
    const { cert, key } = await certificates();
    const server = createSecureServer({ cert, key, allowHTTP1: false });
    const port = await started(server as unknown as Server);
    const socket = connectTls({ port, host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false });
    await new Promise(resolve => socket.once('secureConnect', resolve));
    const wire = { socket, local: '', remote: '' };
    const connection = http2Connection({ socket, wire, ended: Promise.resolve(), failure: () => undefined });
    await Promise.resolve();
    // The session is destroyed in this turn, and emits its event in a later one.
    await new Promise(resolve => setImmediate(resolve));
    expect(connection.isQuiet()).toBe(false);
    const request = { method: 'GET', url: parseUrl(`https://127.0.0.1:${port}/`), header: [], body: undefined } as const;
    await expect(connection.roundTrip(request, { deadline: startDeadline(5_000), maxBodyBytes: 1 })).rejects.toThrow('unexpected EOF');
  });
});
