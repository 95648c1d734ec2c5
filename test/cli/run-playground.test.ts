import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StaticServer, serveFiles } from '../../src/cli/commands/playground/run-playground.js';
import { keepAccepting } from '../../src/cli/shell/guarded-listener.js';
import { playgroundFile } from '../../src/pages/page-files.js';
import { root } from '../support/run-command.js';

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

describe('a server', { timeout: 60_000 }, () => {
  it('goes on after connections that cannot be accepted, with one line for all', () => {
    const server = new EventEmitter();
    const said: string[] = [];
    keepAccepting(server, { write: line => said.push(line) });
    for (let i = 0; i < 3; i += 1) server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));
    expect(said).toEqual(['error: a connection cannot be accepted: too many open files\n']);
  });

  it.runIf(process.platform === 'linux')('goes on after more connections than it may have open files', async () => {
    const program = path.join(root, 'bin/run.js');
    const child = spawn('sh', ['-c', `ulimit -n 48; exec "$0" "$1" playground`, process.execPath, program], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit');
    const said = text(child.stderr);
    const [address] = await once(child.stdout, 'data');
    const url = String(address).trim();
    const sockets = Array.from({ length: 60 }, () => connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {}));
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    // Each is answered or closed.
    await Promise.all(sockets.map(socket => new Promise(resolve => socket.once('data', resolve).once('close', resolve))));
    for (const socket of sockets) socket.destroy();
    let status = 0;
    while (status !== 200 && child.exitCode === null)
      status = await fetch(url).then(
        response => response.status,
        () => 0,
      );
    child.kill();
    const [exitCode] = await ended;
    expect([status, exitCode, (await said).replace(/^(?:error: the request GET \/ failed: too many open files\n)+$/, 'told')]).toEqual([
      200,
      0,
      'told',
    ]);
  });
});
