import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls';
import v8 from 'node:v8';
import vm from 'node:vm';
import { afterAll, describe, expect, it } from 'vitest';
import Apiserver from '../../commands/apiserver.js';
import Playground from '../../commands/playground.js';
import ProxyCommand from '../../commands/proxy.js';
import Serve from '../../commands/serve.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { servePage } from '../../src/cli/work/live-page/live-page.js';
import { startEtcd } from '../../src/envtest/etcd/health-server.js';
import { executables } from '../../src/envtest/folder/executables.js';
import type { CommandClass } from '../support/run-command.js';
import { type Closing, startCommand } from '../support/started-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type HostileRequest, hostileRequests } from './requests/hostile-requests.js';

const rounds = 3;
/** A server may wait for the rest of a message; the client then leaves. */
const longestMs = 200;
const atOnce = 8;
/** What caches and pools of the runtime may grow. */
const maxGrowth = 12 * 1024 * 1024;

const opened: Closing[] = [];
afterAll(async () => {
  // Each waits for requests whose clients left in the middle.
  await Promise.all(opened.map(one => one.close()));
});

v8.setFlagsFromString('--expose-gc');
const collectGarbage: () => void = vm.runInNewContext('gc');

/** One for all connections: making it takes longer than the rest of a connection. */
const secureContext = createSecureContext();

/** Sends a request, and leaves when the server has closed the connection, or after a while. */
function send({ bytes, protocol, end }: HostileRequest, { hostname, port, protocol: scheme }: URL): Promise<void> {
  const plain = connect({ host: hostname, port: Number(port) });
  plain.on('error', () => {});
  const socket: Socket | TLSSocket =
    scheme === 'https:' && protocol !== 'raw'
      ? connectTls({ socket: plain, secureContext, rejectUnauthorized: false, ALPNProtocols: [protocol] })
      : plain;
  return new Promise(resolve => {
    const timer = setTimeout(() => socket.destroy(), longestMs);
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.write(bytes, () => {
      if (end === 'reset') plain.resetAndDestroy();
      else if (end === 'fin') socket.end();
    });
  });
}

/** Node does not see the end of HTTP/2 connections after errors, and of some that are reset: those are closed by a limit of time. */
function isSeenToEnd({ protocol, end }: HostileRequest): boolean {
  return protocol !== 'h2' && end !== 'reset';
}

async function sendAll(url: URL, requests = hostileRequests): Promise<void> {
  const waiting = [...requests];
  const sendNext = async (): Promise<void> => {
    for (let request = waiting.shift(); request !== undefined; request = waiting.shift()) await send(request, url);
  };
  await Promise.all(Array.from({ length: atOnce }, sendNext));
}

/** Returns the first line of the answer to a correct request. */
async function requestText(url: URL): Promise<string> {
  const to = { host: url.hostname, port: Number(url.port) };
  const socket = url.protocol === 'https:' ? connectTls({ ...to, secureContext, rejectUnauthorized: false }) : connect(to);
  socket.end(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text.split('\r\n')[0] ?? '';
}

/** Bytes that this process keeps after garbage was collected three times, which is all; or less often, when fewer than `enough` are left. */
async function keptBytes(enough = 0): Promise<number> {
  let kept = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && kept >= enough; i += 1) {
    collectGarbage();
    await new Promise(resolve => setImmediate(resolve));
    const { heapUsed, external } = process.memoryUsage();
    kept = heapUsed + external;
  }
  return kept;
}

const connections = (): number => process.getActiveResourcesInfo().filter(name => /TCPSocket|TLS/.test(name)).length;

type Start = (folder: string) => Promise<string>;

const ofCommand =
  (command: CommandClass, argv: readonly string[], pattern: RegExp): Start =>
  async folder => {
    const options = { cwd: folder, env: { BROWSER: 'none', HOME: folder }, opened };
    const [url = ''] = await startCommand(command, argv, options, [pattern]);
    return url;
  };

const first = /(https?:\/\/127\.0\.0\.1:\d+)/;
const served = [
  '--handlers',
  'handlers.mjs',
  '--cert-dir',
  'certs',
  '--port',
  '0',
  '--health-port',
  '0',
  '--metrics-port',
  '0',
  '-o',
  'json',
];
const scripts = {
  'script.json': '{"kind": "http", "status": 200, "body": "{}"}',
  'turns.json':
    '{"kind": "sequence", "answers": [{"kind": "http", "status": 200, "body": "{}", "then": "close"}, {"kind": "http", "status": 200, "body": "{}"}]}',
};
const registration = "export default server => server.register('/', () => ({ allowed: true }));\n";

async function etcdInPerl(folder: string): Promise<string> {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const address = free.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await new Promise(resolve => free.close(resolve));
  const program = { command: process.execPath, script: undefined, kubernetesVersion: 'v1.36', release: 'v1.36.3' };
  writeFileSync(path.join(folder, 'etcd'), executables(program, 'linux').get('etcd') ?? '');
  const url = `http://127.0.0.1:${port}`;
  const child = spawn('sh', [path.join(folder, 'etcd'), `--listen-client-urls=${url}`, `--data-dir=${folder}`], { stdio: 'ignore' });
  opened.push({ close: () => child.kill() });
  await expect.poll(() => requestText(new URL('/health', url)).catch(() => ''), { timeout: 10_000 }).toContain('200');
  return `${url}/health`;
}

const servers: readonly (readonly [name: string, start: Start])[] = [
  ['playground', ofCommand(Playground, [], first)],
  [
    'a live page',
    async () => {
      const page = await servePage(() => 'a page', { write: () => {} });
      opened.push(page);
      return page.address;
    },
  ],
  ['apiserver', ofCommand(Apiserver, [], first)],
  ['the page of apiserver', ofCommand(Apiserver, ['--open'], /^page: (.*)$/m)],
  ['proxy', ofCommand(ProxyCommand, ['--to', 'https://127.0.0.1:9'], first)],
  ['proxy with faults', ofCommand(ProxyCommand, ['--to', 'https://127.0.0.1:9', '--fault', 'delay=1ms'], first)],
  ['serve', ofCommand(Serve, ['--handler', 'allow'], first)],
  ['a script of serve', ofCommand(Serve, ['--script', 'script.json'], first)],
  ['a script of serve with an answer for each turn', ofCommand(Serve, ['--script', 'turns.json'], first)],
  ['handlers of serve', ofCommand(Serve, served, first)],
  ['health of serve', ofCommand(Serve, served, /"health":"([^"]+)"/)],
  ['metrics of serve', ofCommand(Serve, served, /"metrics":"([^"]+)"/)],
  [
    'etcd of envtest',
    async folder => {
      const etcd = await startEtcd(['--listen-client-urls=http://127.0.0.1:0'], folder, { write: () => {} });
      opened.push(etcd);
      return `http://127.0.0.1:${etcd.port}/health`;
    },
  ],
  ['etcd of envtest in Perl', etcdInPerl],
];

describe(`${hostileRequests.length} requests of clients that mean harm`, { timeout: 120_000 }, () => {
  it.each(servers)('leave %s alive, with the memory and connections that it had', async (_, start) => {
    const others = connections();
    const { cert, key } = await issueServingPair({ dns: [], ips: [] }, new Date());
    const { folder, remove } = temporaryFolder({ ...scripts, 'handlers.mjs': registration, 'certs/tls.crt': cert, 'certs/tls.key': key });
    opened.push({ close: remove });
    const url = new URL(await start(folder));
    const before = await requestText(url);
    expect(before).toMatch(/^HTTP\/1\.1 \d\d\d/);
    await sendAll(url, hostileRequests.filter(isSeenToEnd));
    await expect.poll(connections, { timeout: 10_000 }).toBeLessThanOrEqual(others);
    // The first round fills caches, and compiles.
    await sendAll(
      url,
      hostileRequests.filter(request => !isSeenToEnd(request)),
    );
    const kept = await keptBytes();
    for (let i = 1; i < rounds; i += 1) await sendAll(url);
    expect(await requestText(url)).toBe(before);
    expect((await keptBytes(kept + maxGrowth)) - kept).toBeLessThan(maxGrowth);
  });
});
