// Dry-run creates per second of a real kube-apiserver with one validating webhook: the baseline of `test`. ORACLE_APISERVER is the path of its binary.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';

const concurrency = 8;
const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json', 'user-agent': 'kubectl/v1.36.3 (linux/amd64)' };

/** Starts an API server that calls a webhook for every pod. */
export async function startOracle(program, webhook) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'webhook-cli-oracle-'));
  const [port, etcdPort] = [await freePort(), await freePort()];
  const argv = [
    '-dir',
    path.join(folder, 'run'),
    '-port',
    `${port}`,
    '-etcd-port',
    `${etcdPort}`,
    '--',
    '--authorization-mode=AlwaysAllow',
  ];
  const server = spawn(program, argv, { argv0: 'kube-apiserver', stdio: 'ignore' });
  const pool = new Pool(`https://127.0.0.1:${port}`, { connections: concurrency, connect: { rejectUnauthorized: false } });
  const stop = async () => {
    await pool.close();
    if (server.exitCode === null) {
      server.kill();
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready(pool);
    await register(pool, webhook);
    return { rate: pods => rateOf(pool, pods), cpuMs: () => cpuMsOf(server.pid), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the CPU time of a process so far; undefined where it is not known. The server and its database are one process. */
function cpuMsOf(pid) {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime and stime, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

async function ready(pool) {
  for (let tries = 0; tries < 360; tries++) {
    const status = await pool.request({ path: '/readyz', method: 'GET', headers }).then(
      async response => {
        await response.body.dump();
        return response.statusCode;
      },
      () => 0,
    );
    if (status === 200) return;
    await setTimeout(500);
  }
  throw new Error('the API server did not become ready');
}

/** Creates the objects that a pod needs, and registers the webhook. */
async function register(pool, { url, caFile }) {
  await created(pool, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await created(pool, '/api/v1/namespaces/shop/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
  });
  const caBundle = readFileSync(caFile).toString('base64');
  const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
  const webhook = {
    name: 'bench.example.com',
    clientConfig: { url, caBundle },
    rules: [rule],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const kind = 'ValidatingWebhookConfiguration';
  const configuration = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'bench' }, webhooks: [webhook] };
  await created(pool, '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', configuration);
  // Admission sees configurations through informers.
  await setTimeout(3000);
}

async function created(pool, target, object) {
  const response = await pool.request({ path: target, method: 'POST', headers, body: JSON.stringify(object) });
  const text = await response.body.text();
  if (response.statusCode !== 201) throw new Error(`${target}: ${response.statusCode} ${text.slice(0, 300)}`);
}

async function rateOf(pool, pods) {
  const left = pods[Symbol.iterator]();
  const begin = performance.now();
  const work = async () => {
    for (const pod of left) await created(pool, '/api/v1/namespaces/shop/pods?dryRun=All', pod);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return (pods.length * 1000) / (performance.now() - begin);
}
