import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StaticServer, serveFiles } from '../../src/cli/commands/playground/run-playground.js';

let server: StaticServer;
beforeAll(async () => {
  server = await serveFiles(name => (name === '/index.html' ? Buffer.from('page') : undefined), 0);
});
afterAll(() => server.close());

/** Returns the status of the answer. */
async function statusOf(target: string, host = '127.0.0.1'): Promise<string> {
  const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
  socket.end(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return (await text(socket)).slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3);
}

describe('the server of the playground', () => {
  it.each(['/', '/?a', '/index.html', '/index.html#a'])('serves %s', async target => expect(await statusOf(target)).toBe('200'));

  it.each(['//', '//a:b/', '/%', '/../index.html', '/%2e%2e/a', 'http://[/', '*'])('has nothing at %s, and goes on', async target => {
    expect(await statusOf(target)).toBe('404');
    expect(await statusOf('/')).toBe('200');
  });

  it('refuses another host name', async () => expect(await statusOf('/', 'a.example')).toBe('421'));
});
