#!/usr/bin/env node
// This project's API server under load beside a real one: creates, lists, gets, applies, watches, deletion of a collection; CPU time and memory of each.
// node bench/scale.js [--pods 12000] [--watchers 200] [--updates 200] [--node PROGRAM] and one of
//   ORACLE_APISERVER=PROGRAM             a program that runs kube-apiserver with etcd inside (api-servers.js says how it is started)
//   --kubeconfig FILE --pids PID,PID     a kube-apiserver that runs already, with the numbers of its process and of etcd's
// It creates and removes the namespace bench-scale: only for servers without anything of value. CPU time and memory are read from /proc, so the
// processes have to run on this machine, which has to be Linux; the client takes CPU, too, but is the same for both. The servers are measured one after
// the other. Without a real one, only this project's is measured.
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { prepareNamespace, realStart, serverOfKubeconfig, startOwnServer } from './api-servers.js';
import { printedTable } from './table.js';

const namespace = 'bench-scale';
const target = `/api/v1/namespaces/${namespace}/pods`;
const concurrency = 8;

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      pods: { type: 'string', default: '12000' },
      watchers: { type: 'string', default: '200' },
      updates: { type: 'string', default: '200' },
      node: { type: 'string', default: process.execPath },
      kubeconfig: { type: 'string' },
      pids: { type: 'string', default: '' },
    },
  });
  const { node, kubeconfig } = values;
  const pids = values.pids === '' ? [] : values.pids.split(',').map(Number);
  const running = kubeconfig === undefined ? undefined : () => serverOfKubeconfig({ kubeconfig, pids });
  const sizes = { pods: Number(values.pods), watchers: Number(values.watchers), updates: Number(values.updates) };
  console.log(printedTable(await scaleRows({ ...sizes, node, startReal: running ?? realStart() }), {}));
}

/** Returns rows of bench/run.js: what this project's API server needs, and the ratio to what `startReal`'s needs, if there is one. */
export async function scaleRows({ pods, watchers, updates, node, startReal }) {
  const work = workOf({ pods, watchers, updates });
  const real = startReal === undefined ? undefined : await measureServer(startReal, work);
  const minor = real === undefined ? 'v1.36' : /^v\d+\.\d+/.exec(real.version)[0];
  const own = await measureServer(() => startOwnServer(node, minor), work);
  return [...own.figures.keys()].map(name => {
    const [ours, theirs] = [own.figures.get(name), real?.figures.get(name)];
    const row = { name: `apiserver, ${pods.toLocaleString('en')} pods: ${name}`, goal: ours.goal };
    if (theirs === undefined) return { ...row, figure: ours.text };
    const figure = `${ours.text} (kube-apiserver: ${theirs.text})`;
    return { ...row, figure, baseline: `kube-apiserver ${real.version}`, ratio: ours.number / theirs.number };
  });
}

/** The work in its order, with the goals for the ratio. Memory is read before the work that is last. */
function workOf({ pods, watchers, updates }) {
  const lists = accept => times(10, 1, client => client.request('GET', '/api/v1/pods', { accept, expected: [200] }));
  const existing = i => `${target}/pod-${i % pods}`;
  return [
    { name: 'creates', goal: 0.5, run: client => createPods(client, pods) },
    { name: '10 lists as JSON', goal: 0.2, run: lists('application/json') },
    { name: '10 lists as protobuf', goal: 0.2, run: lists('application/vnd.kubernetes.protobuf') },
    {
      name: '50 lists by label',
      goal: 0.2,
      run: times(50, 1, (client, i) => client.request('GET', `/api/v1/pods?labelSelector=app%3Dapp-${i % 20}`, { expected: [200] })),
    },
    {
      name: '2,000 gets',
      goal: 0.3,
      run: times(2000, concurrency, (client, i) => client.request('GET', existing(i), { expected: [200] })),
    },
    {
      name: '1,000 applies',
      goal: 0.5,
      run: times(1000, concurrency, (client, i) => {
        const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: `pod-${i % pods}`, annotations: { applied: `${i}` } } };
        const contentType = 'application/apply-patch+yaml';
        return client.request('PATCH', `${existing(i)}?fieldManager=bench&force=true`, {
          contentType,
          body: JSON.stringify(object),
          expected: [200],
        });
      }),
    },
    { name: `${updates} updates, ${watchers} watchers`, goal: 0.3, run: client => updateWatched(client, { updates, watchers, existing }) },
    { name: 'memory at most', goal: 0.3 },
    { name: 'deletion of the collection', goal: 0.5, run: client => client.request('DELETE', target, { expected: [200] }) },
  ];
}

/** Returns a function that makes so many requests, some at a time. */
function times(count, atOnce, request) {
  return async client => {
    const left = Array.from({ length: count }, (_, i) => i)[Symbol.iterator]();
    const work = async () => {
      for (const i of left) await request(client, i);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  };
}

/** Creates half of the pods one after another, and half several at a time. */
async function createPods(client, pods) {
  const half = Math.floor(pods / 2);
  const create = (_, i) => client.request('POST', target, { body: JSON.stringify(podOf(i)), expected: [201] });
  await times(half, 1, create)(client);
  await times(pods - half, concurrency, (_, i) => create(client, half + i))(client);
}

function podOf(i) {
  const env = [{ name: 'LOG_LEVEL', value: 'info' }];
  const resources = { requests: { cpu: '100m', memory: '64Mi' } };
  const containers = [
    { name: 'app', image: 'registry.example.com/app:1.27', env, resources },
    { name: 'proxy', image: 'registry.example.com/proxy:3' },
  ];
  const labels = { app: `app-${i % 20}`, team: `team-${i % 7}` };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: `pod-${i}`, labels }, spec: { containers } };
}

/** Updates pods while they are watched, until each watcher has received each update. */
async function updateWatched(client, { updates, watchers, existing }) {
  const { bytes } = await client.request('GET', `${target}?limit=1`, { expected: [200] });
  const query = `watch=1&resourceVersion=${JSON.parse(bytes).metadata.resourceVersion}`;
  const streams = [];
  for (let i = 0; i < watchers; i++) streams.push(await client.watch(`${target}?${query}`, i));
  const received = streams.map(stream => receiveEvents(stream, updates));
  const contentType = 'application/merge-patch+json';
  const body = i => JSON.stringify({ metadata: { annotations: { updated: `${i}` } } });
  await times(updates, 4, (_, i) => client.request('PATCH', existing(i), { contentType, body: body(i), expected: [200] }))(client);
  await Promise.all(received);
}

/** Reads so many events, each a line; ends the watch then. */
async function receiveEvents(stream, count) {
  let lines = 0;
  const counted = new Promise((resolve, reject) => {
    stream.on('data', part => {
      for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) lines += 1;
      if (lines >= count) resolve();
    });
    stream.once('end', () => reject(new Error(`a watch ended after ${lines} of ${count} events`)));
    stream.once('error', reject);
  });
  await counted;
  stream.close();
  await once(stream, 'close');
}

/** Returns the version of the server, and a number and a text for each part of the work: CPU seconds, or seconds where CPU time is not known. */
async function measureServer(start, work) {
  const server = await start();
  try {
    await prepareNamespace(server.client, namespace);
    const figures = new Map();
    for (const { name, goal, run } of work) {
      const figure = run === undefined ? memoryFigure(server) : await timeFigure(server, run);
      if (figure !== undefined) figures.set(name, { ...figure, goal });
    }
    return { version: server.version, figures };
  } finally {
    await server.client.request('DELETE', `/api/v1/namespaces/${namespace}`).catch(() => {});
    await server.stop();
  }
}

function memoryFigure(server) {
  const usage = server.usage();
  return usage === undefined ? undefined : { number: usage.peakMiB, text: `${usage.peakMiB.toFixed(0)} MiB` };
}

async function timeFigure(server, run) {
  const [before, begin] = [server.usage(), performance.now()];
  const failure = await run(server.client).then(
    () => undefined,
    error => error,
  );
  const seconds = (performance.now() - begin) / 1000;
  if (failure !== undefined)
    return {
      number: Number.NaN,
      text: `failed after ${seconds.toFixed(1)} s: ${failure.message.replaceAll(/[|\s]+/g, ' ').slice(0, 120)}`,
    };
  if (before === undefined) return { number: seconds, text: `${seconds.toFixed(2)} s` };
  const cpuSeconds = (server.usage().cpuMs - before.cpuMs) / 1000;
  return { number: cpuSeconds, text: `${cpuSeconds.toFixed(2)} s of CPU in ${seconds.toFixed(1)} s` };
}
