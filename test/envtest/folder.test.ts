import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Envtest from '../../commands/envtest.js';
import { startEtcd } from '../../src/envtest/etcd/health-server.js';
import { executables } from '../../src/envtest/folder/executables.js';
import { createOwnFolder } from '../../src/envtest/folder/write-folder.js';
import { freePort } from '../../src/suites/process/start-process.js';
import { root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const { folder, remove } = temporaryFolder({});
let assets = '';

beforeAll(async () => {
  const { stdout, exitCode } = await runCommand(Envtest, [], { env: { XDG_CACHE_HOME: folder } });
  expect(exitCode).toBe(0);
  assets = stdout.trim();
});
afterAll(remove);

/** Calls until the server listens. */
async function answerOf(url: string): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await (await fetch(url)).text();
    } catch (error) {
      if (tries === 200) throw error;
      await new Promise(resolve => setTimeout(resolve, 25));
    }
  }
}

describe.skipIf(process.platform === 'win32')('the folder of envtest', () => {
  it('prints the same folder again, also for eval', async () => {
    const { stdout } = await runCommand(Envtest, ['-o', 'env'], { env: { XDG_CACHE_HOME: folder } });
    expect(stdout).toBe(`export KUBEBUILDER_ASSETS=${assets}\n`);
    expect(assets.startsWith(path.join(folder, 'webhook-cli/envtest/'))).toBe(true);
  });

  it('is not made in a folder that other users can write', async () => {
    const shared = path.join(folder, 'cache/webhook-cli/envtest');
    mkdirSync(shared, { recursive: true });
    chmodSync(shared, 0o777);
    const { stdout, stderr, exitCode } = await runCommand(Envtest, [], { env: { XDG_CACHE_HOME: path.join(folder, 'cache') } });
    expect([stdout, stderr, exitCode]).toEqual([
      '',
      `error: ${shared}: the folder for executables is writable for other users; remove it, or set XDG_CACHE_HOME or HOME\n`,
      6,
    ]);
  });

  it('lists the flags of kube-apiserver and etcd without starting Node', async () => {
    const { stdout } = await run(path.join(assets, 'kube-apiserver'), ['--help'], { env: {} });
    expect(stdout).toMatch(/^ +--secure-port\b/m);
    expect(stdout).not.toMatch(/--insecure-port/);
    expect((await run(path.join(assets, 'etcd'), ['--help'], { env: {} })).stdout).toMatch(/^ +--unsafe-no-fsync\b/m);
    expect((await run(path.join(assets, 'kube-apiserver'), ['--version'], { env: {} })).stdout).toBe('Kubernetes v1.37.2\n');
  });

  it('answers health checks as etcd', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const etcd = spawn(path.join(assets, 'etcd'), ['--data-dir', folder, `--listen-client-urls=${url}`, '--unsafe-no-fsync=true'], {
      stdio: 'ignore',
    });
    const ended = once(etcd, 'exit');
    expect(await answerOf(`${url}/health`)).toBe('{"health":"true","reason":""}');
    expect(await answerOf(`${url}/webhook-cli/data-dir`)).toBe(folder);
    etcd.kill('SIGTERM');
    await ended;
  });

  it('answers health checks while other clients send a byte from time to time, or nothing', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const etcd = spawn(path.join(assets, 'etcd'), [`--listen-client-urls=${url}`], { stdio: 'ignore' });
    const ended = once(etcd, 'exit');
    await answerOf(`${url}/health`);
    const slow = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(slow.slice(0, 200).map(socket => once(socket, 'connect')));
    const dripping = setInterval(() => {
      for (const socket of slow.slice(100)) if (socket.writable) socket.write('G');
    }, 300);
    const start = performance.now();
    for (let i = 0; i < 20; i += 1) expect(await answerOf(`${url}/health`)).toBe('{"health":"true","reason":""}');
    const elapsedMs = performance.now() - start;
    const long = connect(port, '127.0.0.1');
    long.on('error', () => undefined).resume();
    long.write(`GET /${'a'.repeat(100_000)}`);
    await new Promise(resolve => long.once('close', resolve));
    clearInterval(dripping);
    for (const socket of slow) socket.destroy();
    etcd.kill('SIGTERM');
    await ended;
    // One after another, each would wait for seconds.
    expect(elapsedMs).toBeLessThan(5000);
  });

  it('answers the same without Perl', async () => {
    const server = await startEtcd(['--listen-client-urls', 'http://127.0.0.1:0', `--data-dir=${folder}`], root, { write: () => {} });
    expect(await answerOf(`http://127.0.0.1:${server.port}/health`)).toBe('{"health":"true","reason":""}');
    expect(await answerOf(`http://127.0.0.1:${server.port}/webhook-cli/data-dir`)).toBe(folder);
    await server.close();
  });

  it("runs the user's kubectl, and says where none is", async () => {
    const other = path.join(folder, 'kubectl');
    writeFileSync(other, '#!/bin/sh\necho "kubectl $*"\n');
    chmodSync(other, 0o755);
    const kubectl = path.join(assets, 'kubectl');
    expect((await run(kubectl, ['get', 'pods'], { env: { PATH: `${assets}:/nowhere:${folder}` } })).stdout).toBe('kubectl get pods\n');
    await expect(run(kubectl, [], { env: { PATH: assets } })).rejects.toMatchObject({
      code: 127,
      stderr: expect.stringContaining('install kubectl'),
    });
  });
});

describe.skipIf(process.platform === 'win32')('a folder for executables', () => {
  it('is refused if others can write to it', async () => {
    const shared = path.join(folder, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    await expect(createOwnFolder(shared, process.getuid?.())).rejects.toThrow('the folder for executables is writable for other users');
    chmodSync(shared, 0o700);
    await expect(createOwnFolder(shared, (process.getuid?.() ?? 0) + 1)).rejects.toThrow('is writable for other users');
    await expect(createOwnFolder(path.join(shared, 'own'), process.getuid?.())).resolves.toBeUndefined();
  });
});

describe('executables', () => {
  const program = { command: "/opt/it's/node", script: '/opt/run.js', kubernetesVersion: 'v1.36', release: 'v1.36.3' };

  it.skipIf(process.platform === 'win32')('start Node without the certificates that it would parse at its start', async () => {
    const node = path.join(folder, 'node');
    writeFileSync(node, '#!/bin/sh\necho "$NODE_OPTIONS,$SSL_CERT_FILE,$NODE_EXTRA_CA_CERTS"\n');
    const file = path.join(folder, 'server');
    writeFileSync(file, executables({ ...program, command: node }, 'linux').get('kube-apiserver') ?? '');
    for (const executable of [node, file]) chmodSync(executable, 0o755);
    const printed = async (env: NodeJS.ProcessEnv): Promise<string> => (await run(file, [], { env })).stdout;
    expect(await printed({ NODE_EXTRA_CA_CERTS: 'ca.crt', SSL_CERT_FILE: 'ca.crt' })).toBe(' --use-openssl-ca,/dev/null,\n');
    expect(await printed({ NODE_OPTIONS: '--no-warnings' })).toBe('--no-warnings --use-openssl-ca,/dev/null,\n');
    // Node refuses to start with both options.
    expect(await printed({ NODE_OPTIONS: '--use-bundled-ca' })).toBe('--use-bundled-ca,,\n');
  });

  it('quotes paths for the shell', () => {
    expect(executables(program, 'linux').get('kube-apiserver')).toContain(
      `exec '/opt/it'\\''s/node' '/opt/run.js' controlplane kube-apiserver v1.36 "$@"`,
    );
  });

  it('has batch files on Windows', () => {
    const files = executables({ ...program, command: 'C:\\node.exe', script: undefined }, 'win32');
    expect([...files.keys()]).toEqual(['kube-apiserver.cmd', 'kube-apiserver.help', 'etcd.cmd', 'etcd.help', 'kubectl.cmd']);
    expect(files.get('kube-apiserver.cmd')).toContain('"C:\\node.exe" controlplane kube-apiserver v1.36 %*');
  });
});
