import { setTimeout as wait } from 'node:timers/promises';
import type { ValueMap } from '../../../src/go/value.js';
import { openHooks } from '../calls/hooks.js';
import { sendToServer } from '../calls/server.js';
import { randomFrom } from '../random.js';
import { followAuditLog } from './audit.js';
import { type Case, callsOf, makeCase } from './case.js';
import { type Comparing, compare } from './compare.js';
import { collectionOf, makePolicy, makeSharedObjects, nameOf } from './shared-objects.js';

/**
 * Compares random admission policies, each bound in its own namespace, and calls that they match, with a real API server that was started
 * with `--authorization-mode=RBAC`: answers, warnings, reviews of webhooks, and with AUDIT_LOG (its `--audit-log-path`, in the mode
 * `blocking`) audit annotations. Prints every difference.
 * `KUBE_APISERVER=https://127.0.0.1:PORT KUBE_TOKEN=... node dist/test/differential/policies/run.js [POLICIES] [SEED] [FIRST]`
 */
const total = Number(process.argv[2] ?? 100);
const seed = Number(process.argv[3] ?? 1);
const first = Number(process.argv[4] ?? 0);
const perBatch = 150;

const found = { posted: 0, refused: 0 };
const comparing: Comparing = {
  hooks: await openHooks(),
  audit: followAuditLog(process.env['AUDIT_LOG']),
  counts: { calls: 0, different: 0 },
  statuses: new Map(),
};
const shared = await makeSharedObjects(comparing.hooks);
for (let from = first; from < first + total; from += perBatch) await runBatch(from, Math.min(perBatch, first + total - from), shared);
comparing.hooks.close();
const { counts, statuses } = comparing;
const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
console.log(
  `${counts.different} differences; ${found.posted} policies taken, ${found.refused} refused, ${counts.calls} calls (${counted.join(', ')})`,
);
process.exit(counts.different > 0 ? 1 : 0);

async function runBatch(from: number, count: number, shared: readonly ValueMap[]): Promise<void> {
  const cases: Case[] = [];
  for (let i = from; i < from + count; i += 1) {
    const one = await makeCase(i, { seed, shared, comparing });
    if (one === undefined) found.refused += 1;
    else cases.push(one);
  }
  found.posted += cases.length;
  await untilActive(from);
  for (const one of cases) {
    const calls = callsOf(one, randomFrom(seed * 7919 + from + cases.indexOf(one)));
    for (const [i, call] of calls.entries()) await compare(call, one.objects, `${one.namespace} ${i}`, comparing);
  }
  for (const { random } of cases)
    for (const object of [...random.bindings, random.policy])
      await sendToServer({ method: 'DELETE', path: `/apis/${collectionOf(object)}/${nameOf(object)}` });
}

/** Policies are compiled every second: when the last one of each kind is active, all are. */
async function untilActive(batch: number): Promise<void> {
  const namespace = `sentinel-${seed}-${batch}`;
  const metadata = { name: namespace };
  await sendToServer({ method: 'POST', path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata } });
  const matchConstraints = {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
  };
  for (const phase of ['Validating', 'Mutating']) await makePolicy(phase, namespace, { matchConstraints });
  for (let i = 0; i < 100; i += 1) {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
    const answer = await sendToServer({ method: 'POST', path: `/api/v1/namespaces/${namespace}/configmaps?dryRun=All`, body });
    if (answer.warnings.length > 0 && answer.body.includes('"seen":"yes"')) return;
    await wait(300);
  }
  throw new Error('the policies do not become active');
}
