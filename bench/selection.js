#!/usr/bin/env node
// Measures the selection of webhooks: one call with 1,000 webhooks, and many calls with 50.
// `node bench/selection.js [CALLS]`, after `npm run build`.
const calls = Number(process.argv[2] ?? 10_000);
const { handleCall } = await import('../dist/src/apiserver/handle-call.js');
const { apiServers } = await import('../dist/src/cli/work/api-servers/api-servers.js');
const { effectsFor } = await import('../dist/src/cli/shell/effects.js');
const { toValue } = await import('../dist/src/go/value.js');
const { defaultServerOptions } = await import('../dist/src/kubernetes/server-options.js');

const answer = '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"","allowed":true}}';
let called = 0;
function callWebhook({ body: sent }) {
  called += 1;
  const uid = /"uid":"([^"]*)"/.exec(sent)?.[1] ?? '';
  const body = Buffer.from(answer.replace('"uid":""', `"uid":"${uid}"`));
  return Promise.resolve({ outcome: 'answered', statusCode: 200, headers: [['content-type', 'application/json']], body, durationMs: 0 });
}

// No deadline, because only the CPU time is measured.
const effects = { ...effectsFor(callWebhook), elapsedMs: () => 0 };

await measured('one call past 1,000 webhooks', 1000, 20);
if (calls > 0) await measured(`${calls} calls past 50 webhooks`, 50, calls);

async function measured(what, webhooks, count) {
  const state = {
    objects: [namespace(), ...configurations(webhooks)],
    server: apiServers(),
    presumesNamespaces: false,
    options: defaultServerOptions,
  };
  for (let i = 0; i < Math.min(20, count); i += 1) await one(state, i);
  called = 0;
  const memory = [];
  let used = 0;
  for (let from = 0; from < count; from += Math.ceil(count / 10)) {
    const start = process.cpuUsage();
    for (let i = from; i < Math.min(count, from + Math.ceil(count / 10)); i += 1) await one(state, i);
    const { user, system } = process.cpuUsage(start);
    used += user + system;
    // Measuring the heap takes as long as half a call.
    memory.push(heapMegabytes());
  }
  const each = used / 1000 / count;
  console.log(`${what}: ${each.toFixed(2)} ms of CPU a call, ${called / count} webhooks called; heap in MB ${memory.join(' ')}`);
}

/** A rule for each webhook, covering all kinds of matches and mismatches. */
function configurations(count) {
  const kinds = ['Mutating', 'Validating'];
  return Array.from({ length: count / 5 }, (_, i) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kinds[i % 2]}WebhookConfiguration`,
    metadata: { name: `c${String(i).padStart(4, '0')}` },
    webhooks: [
      webhook('hit', i % 10 === 0 ? {} : { namespaceSelector: { matchLabels: { team: 'other' } } }),
      webhook('resource', { rules: [rule('apps', 'deployments')] }),
      webhook('namespace', { namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['a', 'b'] }] } }),
      webhook('object', { objectSelector: { matchLabels: { app: 'other' } } }),
      webhook('version', { rules: [rule('events.k8s.io', 'events')], matchPolicy: 'Equivalent' }),
    ],
  })).map(toValue);
}

function webhook(name, parts) {
  return {
    name: `${name}.example.com`,
    clientConfig: { url: 'https://w.example.com/' },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    rules: [rule('', 'configmaps')],
    ...parts,
  };
}

function rule(group, resource) {
  return { operations: ['CREATE'], apiGroups: [group], apiVersions: ['v1'], resources: [resource] };
}

function namespace() {
  return toValue({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'a' } } });
}

async function one(state, i) {
  const body = Buffer.from(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m${i}"},"data":{"k":"v"}}`);
  const call = { method: 'POST', path: '/api/v1/namespaces/shop/configmaps', contentType: 'application/json', body };
  const { answer: got } = await handleCall(call, state, effects);
  if (got.status !== 201) throw new Error(got.body);
}

function heapMegabytes() {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().heapUsed / 2 ** 20);
}
