// API servers to measure: a real kube-apiserver, and this project's. Each has `client`, `kubeconfig` (a file), `version`, `usage` and `stop`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'yaml';
import { createClient } from './api-client.js';

const run = path.join(path.dirname(import.meta.dirname), 'bin/run.js');
const pollMs = 500;
const longestStartMs = 180_000;

/**
 * Starts a program that runs kube-apiserver with etcd inside, as one process: it takes `-dir`, `-port` and `-etcd-port`, and kube-apiserver's flags
 * after `--`, and knows the token admin-token.
 */
async function startRealServer(program) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'webhook-cli-real-'));
  const [port, etcdPort] = [await freePort(), await freePort()];
  const ports = ['-port', `${port}`, '-etcd-port', `${etcdPort}`];
  const argv = ['-dir', path.join(folder, 'run'), ...ports, '--', '--authorization-mode=AlwaysAllow'];
  const child = spawn(program, argv, { argv0: 'kube-apiserver', stdio: 'ignore' });
  const kubeconfig = path.join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigText(`https://127.0.0.1:${port}`, 'admin-token'));
  return serverOfKubeconfig({ kubeconfig, pids: [child.pid], stop: () => end(child, folder), hasEnded: () => child.exitCode !== null });
}

/** Returns a function that starts the program of ORACLE_APISERVER; undefined without one. */
export function realStart() {
  const { ORACLE_APISERVER } = process.env;
  return ORACLE_APISERVER ? () => startRealServer(ORACLE_APISERVER) : undefined;
}

/** Starts this project's API server with a version of Node. */
export async function startOwnServer(node, kubernetesVersion) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'webhook-cli-own-'));
  const kubeconfig = path.join(folder, 'kubeconfig');
  const argv = [run, 'apiserver', '--kubeconfig', kubeconfig, '--kubernetes-version', kubernetesVersion];
  const child = spawn(node, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  const errors = [];
  child.stderr.on('data', part => errors.push(part));
  // The first line of its output says that it listens.
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  if (child.exitCode !== null) throw new Error(`${argv.join(' ')}: exit code ${child.exitCode}: ${Buffer.concat(errors)}`);
  child.stdout.resume();
  return serverOfKubeconfig({ kubeconfig, pids: [child.pid], stop: () => end(child, folder), hasEnded: () => child.exitCode !== null });
}

/** Returns a server that runs already, by its kubeconfig. `pids` are its processes on this machine: without them only times are known. */
export async function serverOfKubeconfig({ kubeconfig, pids = [], stop = () => {}, hasEnded = () => false }) {
  const client = createClient(readKubeconfig(kubeconfig));
  const close = async () => {
    client.close();
    await stop();
  };
  try {
    await ready(client, hasEnded);
    const { bytes } = await client.request('GET', '/version', { expected: [200] });
    return { client, kubeconfig, version: JSON.parse(bytes).gitVersion, usage: () => usageOf(pids), stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates what a pod in the namespace needs, and registers a webhook for pods if one is given. */
export async function prepareNamespace(client, name, webhook) {
  const create = (target, object, expected = [201]) => client.request('POST', target, { body: JSON.stringify(object), expected });
  await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  // Controllers, or this project's server, may have been sooner.
  await create(`/api/v1/namespaces/${name}/serviceaccounts`, account, [201, 409]);
  if (webhook === undefined) return;
  const { url, caFile } = webhook;
  const registered = {
    name: 'bench.example.com',
    clientConfig: { url, caBundle: readFileSync(caFile).toString('base64') },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const kind = 'ValidatingWebhookConfiguration';
  const configuration = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'bench' }, webhooks: [registered] };
  await create('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', configuration);
  // Admission sees configurations through informers.
  await setTimeout(3000);
}

function kubeconfigText(server, token) {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'real', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'admin' } }],
    'current-context': 'real',
  });
}

function readKubeconfig(file) {
  const config = parse(readFileSync(file, 'utf8'));
  const named = (list, name) => list?.find(item => item.name === name);
  const context = named(config.contexts, config['current-context'])?.context;
  const url = named(config.clusters, context?.cluster)?.cluster?.server;
  const user = named(config.users, context?.user)?.user ?? {};
  const pem = name => user[`${name}-data`] && Buffer.from(user[`${name}-data`], 'base64');
  const credentials = { token: user.token, cert: pem('client-certificate'), key: pem('client-key') };
  if (url === undefined) throw new Error(`${file}: the current context has no server`);
  if (credentials.token === undefined && credentials.cert === undefined)
    throw new Error(`${file}: the user of the current context needs token, or client-certificate-data and client-key-data`);
  return { url, ...credentials };
}

async function ready(client, hasEnded) {
  for (const start = performance.now(); performance.now() - start < longestStartMs; await setTimeout(pollMs)) {
    if (hasEnded()) throw new Error('the API server has ended');
    const status = await client.request('GET', '/readyz').then(
      answer => answer.status,
      () => 0,
    );
    if (status === 200) return;
  }
  throw new Error('the API server did not become ready');
}

/** Returns CPU time so far and the most memory of all processes together; undefined where /proc does not tell. */
function usageOf(pids) {
  if (pids.length === 0 || process.platform !== 'linux') return undefined;
  const each = pids.map(pid => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [, peakKiB] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    // utime and stime, in hundredths of a second.
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, peakMiB: Number(peakKiB) / 1024 };
  });
  return { cpuMs: sum(each.map(({ cpuMs }) => cpuMs)), peakMiB: sum(each.map(({ peakMiB }) => peakMiB)) };
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

async function end(child, folder) {
  if (child.exitCode === null) {
    child.kill();
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
