// Time that `webhook-cli proxy --record` adds to a review, beside a bare pass-through of node:https and undici in the same run: each round sends
// the same reviews directly, through the bare one and through ours, so that noise hits all alike. Compare the ratios, never the milliseconds.
// node bench/proxy.mjs [REVIEWS] [CONNECTIONS] [--equal] (--equal: every review is the same, and recorded once)
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent as UndiciAgent, request as undiciRequest } from 'undici';

const here = fileURLToPath(import.meta.url);
const root = path.resolve(path.dirname(here), '..');
const equal = process.argv.includes('--equal');
const [mode, ...args] = process.argv.slice(2).filter(arg => arg !== '--equal');

if (mode === 'webhook' || mode === 'bare') {
  const [folder, to] = args;
  const tls = { cert: readFileSync(path.join(folder, 'tls.crt')), key: readFileSync(path.join(folder, 'tls.key')) };
  const ca = readFileSync(path.join(folder, 'ca.crt'));
  const server = createServer(tls, mode === 'webhook' ? allow : passOn(new UndiciAgent({ connect: { ca } }), to));
  server.listen(0, '127.0.0.1', () => console.log(`https://127.0.0.1:${server.address().port}`));
} else {
  const [reviews = 1000, connections = 1] = [mode, ...args].filter(arg => arg !== undefined).map(Number);
  await compare(reviews, connections);
}

/** The least a webhook can be: reads the review and allows it. */
async function allow(asked, response) {
  const review = JSON.parse(await bodyOf(asked));
  const body = JSON.stringify({ apiVersion: review.apiVersion, kind: review.kind, response: { uid: review.request.uid, allowed: true } });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

/** The least a pass-through can be. */
function passOn(dispatcher, to) {
  return async (asked, response) => {
    const { host: _, connection: __, ...headers } = asked.headers;
    const answer = await undiciRequest(to + asked.url, { method: asked.method, headers, body: asked, dispatcher });
    response.writeHead(answer.statusCode, answer.headers);
    answer.body.pipe(response);
  };
}

async function bodyOf(asked) {
  const parts = [];
  for await (const part of asked) parts.push(part);
  return Buffer.concat(parts);
}

async function compare(reviews, connections) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-proxy-'));
  const children = [];
  const start = async argv => {
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    let text = '';
    return new Promise((resolve, reject) => {
      child.once('exit', code => reject(new Error(`${argv[0]} ended with ${code}`)));
      child.stdout.on('data', data => {
        text += data;
        if (text.includes('\n')) resolve({ url: text.split('\n')[0], pid: child.pid });
      });
    });
  };
  const cli = path.join(root, 'bin/run.js');
  const certs = path.join(folder, 'certs');
  try {
    execFileSync(process.execPath, [cli, 'certs', 'create', '--dns', 'localhost', '--ip', '127.0.0.1', '--out-dir', certs], {
      stdio: 'ignore',
    });
    const direct = await start([here, 'webhook', certs]);
    const bare = await start([here, 'bare', certs, direct.url]);
    const record = path.join(folder, 'recordings');
    const ours = await start([
      ...[cli, 'proxy', '--to', direct.url, '--ca-file', path.join(certs, 'ca.crt'), '--cert-dir', certs],
      ...['--record', record, '--max-files', '1000000'],
    ]);
    const servers = { direct, bare, ours };
    const agents = Object.fromEntries(
      Object.keys(servers).map(name => [
        name,
        new Agent({ keepAlive: true, maxSockets: connections, ca: readFileSync(path.join(certs, 'ca.crt')) }),
      ]),
    );
    const times = { direct: [], bare: [], ours: [] };
    const rounds = 10;
    for (const name of Object.keys(servers))
      await load(servers[name].url, agents[name], { count: 200, connections, tag: `warm-${name}`, times: [] });
    for (let round = 0; round < rounds; round += 1) {
      for (const name of Object.keys(servers)) {
        const count = Math.ceil(reviews / rounds);
        await load(servers[name].url, agents[name], { count, connections, tag: `${name}-${round}`, times: times[name] });
      }
    }
    const mean = name => times[name].reduce((sum, ms) => sum + ms, 0) / times[name].length;
    const at = (name, share) => [...times[name]].sort((a, b) => a - b)[Math.floor(times[name].length * share)];
    for (const name of Object.keys(servers)) {
      const added = name === 'direct' ? '' : `, ${(mean(name) - mean('direct')).toFixed(3)} ms added`;
      console.log(
        `${name.padEnd(6)}  mean ${mean(name).toFixed(3)} ms  median ${at(name, 0.5).toFixed(3)} ms  p99 ${at(name, 0.99).toFixed(3)} ms${added}`,
      );
    }
    const ratio = (mean('ours') - mean('direct')) / (mean('bare') - mean('direct'));
    const medians = (at('ours', 0.5) - at('direct', 0.5)) / (at('bare', 0.5) - at('direct', 0.5));
    console.log(`added time, ours to bare: ${ratio.toFixed(2)} of the means, ${medians.toFixed(2)} of the medians`);
    console.log(`${readdirSync(record).length} recordings of ${times.ours.length + 200} reviews`);
  } finally {
    await Promise.all(children.map(child => stopped(child)));
    rmSync(folder, { recursive: true, force: true });
  }
}

function stopped(child) {
  child.removeAllListeners('exit').kill();
  return new Promise(resolve => child.once('exit', resolve));
}

async function load(url, agent, { count, connections, tag, times }) {
  let sent = 0;
  const client = async () => {
    while (sent < count) {
      sent += 1;
      const body = reviewOf(equal ? 'equal' : `${tag}-${sent}`);
      const start = performance.now();
      await post(url, agent, body);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
}

function post(url, agent, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const sent = request(`${url}/validate?timeout=10s`, { method: 'POST', headers, agent }, async response => {
      const text = String(await bodyOf(response));
      if (response.statusCode === 200 && text.includes('"allowed":true')) resolve();
      else reject(new Error(`another answer: ${response.statusCode} ${text}`));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function reviewOf(name) {
  const env = Array.from({ length: 20 }, (_, i) => ({ name: `E${i}`, value: 'v'.repeat(20) }));
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'team', labels: { app: 'web' }, annotations: { note: 'x'.repeat(1000) } },
    spec: { containers: [{ name: 'web', image: 'registry.example.com/web:1', env }] },
  };
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: crypto.randomUUID(),
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      ...{
        name,
        namespace: 'team',
        operation: 'CREATE',
        userInfo: { username: 'kubernetes-admin' },
        object,
        oldObject: null,
        dryRun: false,
      },
    },
  });
}
