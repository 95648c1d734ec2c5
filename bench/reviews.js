#!/usr/bin/env node
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { handleCall } from '../dist/src/apiserver/handle-call.js';
import { effectsFor } from '../dist/src/cli/shell/effects.js';
import { withRegistrations } from '../dist/src/cli/work/webhooks/cluster-webhooks.js';
// Measures reviews in one process without a network: rate, memory growth, and how time grows with the size of the object. `node
// bench/reviews.js [--reviews 100000]`, after `npm run build`.
import { planCalls } from '../src/cli/work/calls/plan-calls.js';
import { scriptedReplies } from '../src/conformance/scripted-replies.js';

const root = path.dirname(import.meta.dirname);
const { values } = parseArgs({ options: { reviews: { type: 'string', default: '100000' } } });
const reviews = Number(values.reviews);
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const webhook = { webhook: 'bench.example.com', url: 'https://webhook.example.com/', caBundle: undefined };
const registrations = ['mutating', 'validating'].map(phase => ({ phase, ...webhook }));
const plan = await planCalls(
  { filename: ['fixtures/manifests/pod-sidecar.yaml'] },
  { cwd: root, env: {}, uid: () => '', now: () => new Date() },
);
const state = withRegistrations(plan.state, registrations, {});
await folderOfManifests(1000);
await manyReviews(plan.calls[0].call);
for (const [what, callOfSize] of Object.entries(growing())) await growth(what, callOfSize);

/** The answer's status code; webhooks allow everything. */
async function made(call) {
  const { decision } = await handleCall(call, state, effectsFor(scriptedReplies([]).callWebhook));
  return decision.code;
}

/** Plans a folder of that many pods, as `request` does: every file is read and planned before the first call. */
async function folderOfManifests(count) {
  const folder = mkdtempSync(path.join(tmpdir(), 'webhook-cli-bench-'));
  const text = readFileSync(path.join(root, 'fixtures/manifests/pod-sidecar.yaml'), 'utf8');
  for (let i = 0; i < count; i++) writeFileSync(path.join(folder, `${i}.yaml`), text.replace('name: web', `name: web-${i}`));
  const begin = performance.now();
  const { calls } = await planCalls({ filename: [folder] }, { cwd: root, env: {}, uid: () => '', now: () => new Date() });
  const planned = performance.now() - begin;
  const hundreds = [];
  for (let i = 0; i < count; i += 100) {
    const start = performance.now();
    for (const { call } of calls.slice(i, i + 100)) await made(call);
    hundreds.push(performance.now() - start);
  }
  rmSync(folder, { recursive: true });
  const shown = `read and planned in ${planned.toFixed(0)} ms; the second hundred ${hundreds[1].toFixed(0)} ms, the last ${hundreds.at(-1).toFixed(0)} ms`;
  console.log(`${count} manifests: ${shown}; ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB at most`);
}

async function manyReviews(call) {
  const slice = reviews / 10;
  const slices = [];
  for (let i = 0; i < 10; i++) {
    const begin = performance.now();
    for (let n = 0; n < slice; n++) await made(call);
    const ms = performance.now() - begin;
    collectGarbage();
    slices.push({ rate: (slice / ms) * 1000, heap: process.memoryUsage().heapUsed });
    console.log(
      `reviews ${(i + 1) * slice}: ${slices[i].rate.toFixed(0)} calls a second, ${(slices[i].heap / 2 ** 20).toFixed(1)} MiB in use`,
    );
  }
  const change = (slices[9].heap / slices[1].heap - 1) * 100;
  console.log(`memory after the last tenth against the second: ${change.toFixed(1)}% (aim: within 5%)`);
}

/** Objects by size: one large value, and lists of many items. */
function growing() {
  const post = (resource, kind, content) => ({
    method: 'POST',
    path: `/api/v1/namespaces/default/${resource}`,
    contentType: 'application/json',
    body: Buffer.from(JSON.stringify({ apiVersion: 'v1', kind, metadata: { name: 'bench', namespace: 'default' }, ...content })),
  });
  const items = (count, item) => Array.from({ length: count }, (_, i) => item(i));
  return {
    'one value of N * 100 bytes': count => post('configmaps', 'ConfigMap', { data: { text: 'x'.repeat(count * 100) } }),
    'N keys': count => post('configmaps', 'ConfigMap', { data: Object.fromEntries(items(count, i => [`key-${i}`, 'x'.repeat(80)])) }),
    'N environment variables': count =>
      post('pods', 'Pod', {
        spec: { containers: [{ name: 'a', image: 'a', env: items(count, i => ({ name: `NAME_${i}`, value: 'x' })) }] },
      }),
    'N volumes with their mounts': count =>
      post('pods', 'Pod', {
        spec: {
          volumes: items(count, i => ({ name: `v${i}`, emptyDir: {} })),
          containers: [{ name: 'a', image: 'a', volumeMounts: items(count, i => ({ name: `v${i}`, mountPath: `/${i}` })) }],
        },
      }),
  };
}

/** Returns the minimum of several rounds for each size; throws if an object is refused. */
async function growth(what, callOfSize) {
  const sizes = [1250, 2500, 5000, 10_000];
  const times = [];
  for (const size of sizes) {
    const call = callOfSize(size);
    const rounds = [];
    for (let round = 0; round < 5; round++) {
      const begin = performance.now();
      const code = await made(call);
      if (code !== 201) throw new Error(`${what}, ${size}: ${code}`);
      rounds.push(performance.now() - begin);
    }
    times.push(Math.min(...rounds));
  }
  const shown = times.map((ms, i) => `${sizes[i]}: ${ms.toFixed(0)} ms`).join(', ');
  console.log(`${what}: ${shown}; eight times the size takes ${(times[3] / times[0]).toFixed(1)} times as long`);
}
