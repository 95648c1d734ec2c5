#!/usr/bin/env node
// Compares the program with plain Node, running every command once per round, so that noise affects all of them equally:
// node bench/run.js [--rounds 20] [--write]. Compare the ratios of one run; --write puts them into bench/FIGURES.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generate } from 'selfsigned';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(here);
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' }, write: { type: 'boolean', default: false } } });
const loadAtStart = os.loadavg();
const folder = mkdtempSync(path.join(os.tmpdir(), 'webhook-cli-bench-'));
const server = await bareServer();
try {
  await report(await measure(commands(`https://127.0.0.1:${server.address().port}/validate`)));
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}

/** A minimal webhook in Node: reads the review and allows it. The CA of its certificate is written to ca.crt. */
async function bareServer() {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'bench' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  writeFileSync(path.join(folder, 'ca.crt'), cert);
  const answering = createServer({ cert, key }, async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const review = JSON.parse(Buffer.concat(parts));
    const body = JSON.stringify({ apiVersion: review.apiVersion, kind: review.kind, response: { uid: review.request.uid, allowed: true } });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
  });
  await once(answering.listen(0, '127.0.0.1'), 'listening');
  return answering;
}

/** Every command with its baseline. */
function commands(url) {
  const pod = path.join(root, 'fixtures/manifests/pod-sidecar.yaml');
  const ca = path.join(folder, 'ca.crt');
  const body = path.join(folder, 'review.json');
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', annotations: { filler: 'x'.repeat(4000) } } };
  writeFileSync(body, JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { uid: 'bench', object } }));
  const many = path.join(folder, 'manifests');
  mkdirSync(many);
  const text = readFileSync(pod, 'utf8');
  for (let i = 0; i < 1000; i++) writeFileSync(path.join(many, `${i}.yaml`), text);
  const program = (name, argv, more) => ({ name, argv: [path.join(root, 'bin/run.js'), ...argv], ...more });
  const review = ['review', '--url', url, '--ca-file', ca, '-f', pod];
  return [
    { name: 'node -e 0', argv: ['-e', '0'] },
    { name: 'node, one POST over TLS', argv: [path.join(here, 'bare-post.js'), url, ca, body] },
    program('--version', ['--version'], { floor: 0, aim: 1.25 }),
    program('--help', ['--help'], { floor: 0, aim: 1.25 }),
    program('review of one pod', review, { floor: 1, aim: 1.25 }),
    program('review of one pod, no code cache', review, { floor: 1, aim: 2, env: { WEBHOOK_CLI_NO_CODE_CACHE: '1' } }),
    program('review of one pod, compiled modules', review, { floor: 1, env: { WEBHOOK_CLI_NO_BUNDLE: '1' } }),
    program('request on 1,000 manifests', ['request', '-f', many], { floor: 0, aim: 4, rounds: 3 }),
  ];
}

async function measure(list) {
  const runs = list.map(() => []);
  for (const command of list) await timed(command);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const i of list.keys()) {
      const command = list[(i + round) % list.length];
      if (round < (command.rounds ?? Number.POSITIVE_INFINITY)) runs[list.indexOf(command)].push(await timed(command));
    }
  }
  return list.map((command, i) => ({ ...command, median: median(runs[i]), least: Math.min(...runs[i]) }));
}

/** Wall time of a process in milliseconds; throws when it fails. */
async function timed({ name, argv, env }) {
  const begin = performance.now();
  const child = spawn(process.execPath, argv, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache'), ...env },
  });
  let said = '';
  child.stderr.on('data', text => {
    said += text;
  });
  const [exitCode] = await once(child, 'close');
  if (exitCode !== 0) throw new Error(`${name}: exit code ${exitCode}: ${said.slice(0, 500)}`);
  return performance.now() - begin;
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

async function report(rows) {
  const lines = rows.map(row => {
    const floor = rows[row.floor];
    const ratios = floor === undefined ? ['', ''] : [row.median / floor.median, row.least / floor.least].map(ratio => ratio.toFixed(2));
    const cells = [row.name, row.median.toFixed(0), row.least.toFixed(0), floor?.name ?? '', ...ratios, row.aim ?? ''];
    return `| ${cells.join(' | ')} |`;
  });
  const load = numbers => numbers.slice(0, 1).map(number => number.toFixed(1));
  const text = [
    `${os.cpus().length} cores (${os.cpus()[0].model}), Node ${process.version}, ${process.platform} ${process.arch}; ` +
      `load ${load(loadAtStart)} at the start and ${load(os.loadavg())} at the end; ${values.rounds} rounds; ` +
      // With this variable Node loads the file and its built-in certificates at startup.
      `NODE_EXTRA_CA_CERTS is ${process.env.NODE_EXTRA_CA_CERTS ? '' : 'not '}set.`,
    '',
    '| command | median ms | min ms | compared with | ratio of medians | ratio of minimums | target |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
  process.stdout.write(`${text}\n`);
  if (values.write) writeFileSync(path.join(here, 'FIGURES.md'), `# Results of the last run of \`npm run bench -- --write\`\n\n${text}\n`);
}
