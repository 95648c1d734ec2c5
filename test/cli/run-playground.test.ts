import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StaticServer, serveFiles } from '../../src/cli/commands/playground/run-playground.js';
import { playgroundFile } from '../../src/pages/page-files.js';

let server: StaticServer;
const lines: string[] = [];
beforeAll(async () => {
  const file = (name: string): Uint8Array | undefined => {
    if (name === '/broken.js') throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    return name === '/index.html' ? Buffer.from('page') : playgroundFile(name);
  };
  server = await serveFiles(file, 0, { write: text => lines.push(text) });
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

  it.each([
    '//',
    '//a:b/',
    '/%',
    '/../index.html',
    '/%2e%2e/a',
    'http://[/',
    '*',
    `/${'a'.repeat(300)}.js`,
    `/data/${'a'.repeat(4096)}.json`,
  ])('has nothing at %s, and goes on', async target => {
    expect(await statusOf(target)).toBe('404');
    expect(await statusOf('/')).toBe('200');
  });

  it('answers 500 with a line on stderr if a file cannot be read, and goes on', async () => {
    expect(await statusOf('/broken.js')).toBe('500');
    expect(lines).toEqual(['error: the request GET /broken.js failed: too many open files\n']);
    expect(await statusOf('/')).toBe('200');
  });

  it('refuses another host name', async () => expect(await statusOf('/', 'a.example')).toBe('421'));
});
