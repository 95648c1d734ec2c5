#!/usr/bin/env node
// Compares cases per second of `test` with a bare undici loop that posts the same bodies to the same server: node bench/suites.js [--cases
// 2000] [--rounds 3] [--work 0] [--url URL --ca-file FILE] Without --url it asks a server of its own in another process, which answers
// after --work milliseconds, as a webhook that looks something up. Also: the peak of memory with a quarter of the cases and with all, and
// whether random order leads to the same results.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generate } from 'selfsigned';
import { Pool } from 'undici';

const file = fileURLToPath(import.meta.url);
const program = path.join(path.dirname(path.dirname(file)), 'bin/run.js');
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    work: { type: 'string', default: '0' },
    url: { type: 'string' },
    'ca-file': { type: 'string' },
    serve: { type: 'string' },
  },
});
const concurrency = 8;

if (values.serve !== undefined) await serve(values.serve);
else await measure();

/** A minimal webhook in Node, in a separate process; writes its CA to a file and its address to stdout. */
async function serve(caFile) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'bench' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  writeFileSync(caFile, cert);
  const server = createServer({ cert, key }, async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const review = JSON.parse(Buffer.concat(parts));
    if (values.work !== '0') await setTimeout(Number(values.work));
    const body = JSON.stringify({ apiVersion: review.apiVersion, kind: review.kind, response: { uid: review.request.uid, allowed: true } });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  console.log(`https://127.0.0.1:${server.address().port}/validate`);
}

async function measure() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'webhook-cli-suites-'));
  const caFile = values['ca-file'] ?? path.join(folder, 'ca.crt');
  const server = values.url === undefined ? spawn(process.execPath, [file, '--serve', caFile, '--work', values.work]) : undefined;
  try {
    const url = values.url ?? String(await once(server.stdout, 'data')).trim();
    const count = Number(values.cases);
    const [all, quarter] = [writeManifests(folder, 'all', count), writeManifests(folder, 'quarter', Math.floor(count / 4))];
    const webhook = ['--url', url, '--phase', 'validating', '--ca-file', caFile];
    const bodies = (await run(['request', '-f', all, '--phase', 'validating'])).stdout.trimEnd().split('\n');
    for (const manifests of [all, quarter]) await run(['test', manifests, ...webhook, '--update']);
    const rates = { undici: [], kept: [], fresh: [] };
    for (let round = 0; round < Number(values.rounds); round++) {
      rates.undici.push(await postAll(url, readFileSync(caFile), bodies));
      rates.kept.push(count / (await run(['test', all, ...webhook, '--check'])).seconds);
      rates.fresh.push(count / (await run(['test', all, ...webhook, '--check', '--fresh-connections'])).seconds);
    }
    const small = await run(['test', quarter, ...webhook, '--check']);
    const ordered = await run(['test', all, ...webhook, '--check']);
    const shuffled = await run(['test', all, ...webhook, '--check', '--seed', '7']);
    report({ count, rates, memory: [small.peakMiB, ordered.peakMiB], same: results(ordered.stdout) === results(shuffled.stdout) });
  } finally {
    server?.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeManifests(folder, name, count) {
  const made = path.join(folder, name);
  mkdirSync(made);
  for (let i = 0; i < count; i++) {
    const spec = { containers: [{ name: 'app', image: `nginx:1.${i}`, resources: { limits: { cpu: '100m', memory: '64Mi' } } }] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: `web-${i}`, namespace: 'shop', labels: { app: 'web' } }, spec };
    writeFileSync(path.join(made, `web-${i}.json`), JSON.stringify(pod));
  }
  return made;
}

/** Runs the program; returns its output, its wall time including startup, and its peak memory. */
async function run(argv) {
  const begin = performance.now();
  const child = spawn(process.execPath, [program, ...argv], { stdio: ['ignore', 'pipe', 'inherit'] });
  let peakMiB = 0;
  const look = setInterval(() => {
    peakMiB = Math.max(peakMiB, residentMiB(child.pid));
  }, 50);
  const parts = [];
  child.stdout.on('data', part => parts.push(part));
  const [code] = await once(child, 'close');
  clearInterval(look);
  if (code !== 0) throw new Error(`${argv.slice(0, 2).join(' ')}: exit code ${code}`);
  return { stdout: Buffer.concat(parts).toString(), seconds: (performance.now() - begin) / 1000, peakMiB };
}

/** Peak resident memory, if the system reports it. */
function residentMiB(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Posts per second, with the same concurrency as `test`. */
async function postAll(url, ca, bodies) {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: concurrency, connect: { ca } });
  const left = bodies[Symbol.iterator]();
  const begin = performance.now();
  const work = async () => {
    for (const body of left) {
      const options = { path: `${pathname}?timeout=10s`, method: 'POST', headers: { 'content-type': 'application/json' }, body };
      const answer = JSON.parse(await (await pool.request(options)).body.text());
      if (answer.response.allowed !== true) throw new Error('refused');
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const seconds = (performance.now() - begin) / 1000;
  await pool.close();
  return bodies.length / seconds;
}

/** Names and outcomes without times. */
function results(text) {
  return text
    .split('\n')
    .filter(line => /^ {2}\S /.test(line))
    .map(line => line.split(/ {2}/)[1])
    .join('\n');
}

function report({ count, rates, memory, same }) {
  const [undici, kept, fresh] = Object.values(rates).map(numbers => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]);
  const ratio = rate => (rate / undici).toFixed(2);
  console.log(
    `${count} cases, ${concurrency} at a time, a webhook that takes ${values.work} ms; medians of ${values.rounds} rounds; load ${os.loadavg()[0].toFixed(1)}`,
  );
  console.log(`  bare undici loop     ${undici.toFixed(0)}/s`);
  console.log(`  test                 ${kept.toFixed(0)}/s, ratio ${ratio(kept)}`);
  console.log(`  test, fresh          ${fresh.toFixed(0)}/s, ratio ${ratio(fresh)}`);
  console.log(`  peak of memory       ${memory[0].toFixed(0)} MiB with a quarter of the cases, ${memory[1].toFixed(0)} MiB with all`);
  console.log(`  random order         ${same ? 'the same results' : 'OTHER results'}`);
}
