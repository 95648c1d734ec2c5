import { connect as connectHttp2, type ServerHttp2Stream, type Settings } from 'node:http2';
import { connect, type SecureVersion } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { http2Responder } from '../../src/local-apiserver/http/responder.js';
import type { RunningApiServer } from '../../src/local-apiserver/start-server.js';
import { startLocalServer } from '../support/local-cluster.js';

const admin = { token: 'admin-token', username: 'admin', groups: ['system:masters', 'system:authenticated'] };

let server: RunningApiServer;

beforeAll(async () => {
  ({ server } = await startLocalServer({ users: [admin] }));
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

/** Sends two requests over one connection of HTTP/2, the second after the first; returns their statuses, and whether the server ended it. */
async function statusesInSession(authorization: string | undefined): Promise<{ readonly statuses: number[]; readonly isEnded: boolean }> {
  const session = connectHttp2(server.url, { rejectUnauthorized: false });
  const statuses: number[] = [];
  let isEnded = false;
  session.once('goaway', () => {
    isEnded = true;
  });
  const get = (): Promise<void> =>
    new Promise(resolve => {
      const stream = session.request({ ':path': '/version', ...(authorization === undefined ? {} : { authorization }) });
      stream.once('response', headers => statuses.push(Number(headers[':status'])));
      stream.once('close', resolve);
      stream.resume();
    });
  await get();
  if (!session.closed) await get();
  session.destroy();
  return { statuses, isEnded };
}

it('takes one request over a connection of HTTP/2 from a client that it does not know', async () => {
  expect(await statusesInSession(undefined)).toEqual({ statuses: [200], isEnded: true });
  expect(await statusesInSession('Bearer wrong')).toEqual({ statuses: [401], isEnded: true });
  expect(await statusesInSession(`Bearer ${admin.token}`)).toEqual({ statuses: [200, 200], isEnded: false });
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
