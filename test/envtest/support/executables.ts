import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../../../src/suites/process/start-process.js';
import { callAt, flagsOf, type Materials, type Running } from './control-plane.js';

/** Starts `etcd` and `kube-apiserver` of a folder of executables, such as that of envtest, with the flags of `startControlPlane`. */
export async function startExecutables(assets: string, materials: Materials, more: readonly string[]): Promise<Running> {
  const data = mkdtempSync(path.join(os.tmpdir(), 'etcd-'));
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()];
  const written = { stderr: '' };
  const start = (name: string, args: readonly string[]): ChildProcess => {
    const child = spawn(path.join(assets, name), args, { cwd: materials.folder, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (name !== 'etcd') written.stderr += chunk.toString('utf8');
    });
    return child;
  };
  const urls = [
    ...['--listen-client-urls', '--advertise-client-urls'].map(flag => `${flag}=http://127.0.0.1:${client}`),
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
  ];
  const etcd = start('etcd', [`--data-dir=${data}`, ...urls]);
  const server = start('kube-apiserver', flagsOf(materials, port, more, `http://127.0.0.1:${client}`));
  const call: Running['call'] = (method, url, options = {}) => callAt(port, { method, path: url }, options);
  const stop = async (): Promise<number> => {
    for (const child of [server, etcd]) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
    }
    rmSync(data, { recursive: true, force: true });
    return server.exitCode ?? 0;
  };
  const ended = (): boolean => server.exitCode !== null;
  while (!ended()) {
    const isReady = await call('GET', '/readyz', { headers: { Authorization: 'Bearer admin' } }).then(
      ({ status }) => status === 200 || status === 401,
      () => false,
    );
    if (isReady) return { port, stderr: () => written.stderr, call, stop };
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  await stop();
  throw new Error(written.stderr);
}
