import { connect as connectHttp2, type ServerHttp2Stream, type Settings } from 'node:http2';
import { connect, type SecureVersion } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { http2Responder } from '../../src/local-apiserver/http/responder.js';
import type { RunningApiServer } from '../../src/local-apiserver/start-server.js';
import { startLocalServer } from '../support/local-cluster.js';

let server: RunningApiServer;

beforeAll(async () => {
  ({ server } = await startLocalServer({ users: [] }));
});

afterAll(() => server.close());

/** Returns the suite that the server chooses, or OpenSSL's code of its refusal. */
function chosenSuite(version: SecureVersion, ciphers?: string): Promise<string> {
  const port = Number(new URL(server.url).port);
  return new Promise(resolve => {
    const socket = connect({
      ...{ port, host: '127.0.0.1', rejectUnauthorized: false, minVersion: version, maxVersion: version },
      ...(ciphers === undefined ? {} : { ciphers }),
    });
    socket.once('secureConnect', () => {
      resolve(socket.getCipher().standardName);
      socket.destroy();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

it('prefers the cipher suites that kube-apiserver prefers', async () => {
  expect(await chosenSuite('TLSv1.3')).toBe('TLS_AES_128_GCM_SHA256');
  expect(await chosenSuite('TLSv1.2')).toMatch(/^TLS_ECDHE_(?:ECDSA|RSA)_WITH_AES_128_GCM_SHA256$/);
});

it('refuses a key exchange that Go does not have', async () => {
  expect(await chosenSuite('TLSv1.2', 'DHE-RSA-AES128-GCM-SHA256:AES128-GCM-SHA256')).toMatch(/ALERT_HANDSHAKE_FAILURE$/);
});

it('tells clients of HTTP/2 the limits that kube-apiserver tells them', async () => {
  const session = connectHttp2(server.url, { rejectUnauthorized: false });
  const told = await new Promise<Settings>((resolve, reject) => session.once('remoteSettings', resolve).once('error', reject));
  session.close();
  expect(told).toMatchObject({ maxConcurrentStreams: 100, initialWindowSize: 262144, maxFrameSize: 262144, maxHeaderListSize: 1048896 });
});

it('sends no headers about the connection over HTTP/2', () => {
  const sent: object[] = [];
  const stream = { destroyed: false, closed: false, endAfterHeaders: true, respond: (headers: object) => sent.push(headers) };
  const headers = [
    ['Connection', 'close'],
    ['Transfer-Encoding', 'chunked'],
    ['Warning', 'a'],
    ['Warning', 'ä'],
  ] as const;
  http2Responder(stream as unknown as ServerHttp2Stream, {}).writeHead(200, headers);
  expect(sent).toEqual([{ ':status': 200, warning: ['a', Buffer.from('ä').toString('latin1')] }]);
});
