import { setTimeout as wait } from 'node:timers/promises';
import { handleCall } from '../../src/apiserver/handle-call.js';
import { effectsFor } from '../../src/cli/effects.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { isMap, mapAt, stringAt, toValue, type ValueMap } from '../../src/go/value.js';
import type { ApiCall, ClusterState } from '../../src/kubernetes/api-call.js';
import { readFolder } from '../corpus/files.js';
import { callLive, type LiveAnswer, userAgent } from './live-server.js';
import { type Random, randomFrom } from './random.js';
import { type Plain, type RandomPolicy, randomPolicy, type Subject, subjects } from './random-policy.js';

/**
 * Compares random admission policies, each bound in its own namespace, and calls that they match, with a real API server:
 * `ORACLE_URL=https://127.0.0.1:PORT node dist/test/differential/policies.js [POLICIES] [SEED]`. Prints every difference.
 */
const total = Number(process.argv[2] ?? 100);
const seed = Number(process.argv[3] ?? 1);
const perBatch = 150;

const crd = readFolder('policies').find(({ name }) => name === 'crds')?.document;
const widgets = (crd?.['widgets.example.com'] ?? (crd?.['crds'] as Record<string, unknown> | undefined)?.['widgets.example.com']) as object;
const found = { posted: 0, refused: 0, calls: 0, different: 0 };
const statuses = new Map<number, number>();

await setUp();
for (let from = 0; from < total; from += perBatch) await runBatch(from, Math.min(perBatch, total - from));
const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
console.log(
  `${found.different} differences; ${found.posted} policies taken, ${found.refused} refused, ${found.calls} calls (${counted.join(', ')})`,
);
process.exitCode = found.different > 0 ? 1 : 0;

async function setUp(): Promise<void> {
  const made = await callLive('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', JSON.stringify(widgets));
  if (made.status === 201) await wait(8000);
  // The cache of a parameter kind stops with its last policy and is never restarted, so one policy of each kind is kept.
  for (const kind of ['Validating', 'Mutating']) {
    const metadata = { name: `keep-${kind.toLowerCase()}` };
    const resourceRules = [{ apiGroups: ['none'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['none'] }];
    const part =
      kind === 'Validating'
        ? { validations: [{ expression: 'true' }] }
        : { reinvocationPolicy: 'Never', mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }] };
    const spec = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, matchConstraints: { resourceRules }, ...part };
    const policy = { apiVersion: 'admissionregistration.k8s.io/v1', kind: `${kind}AdmissionPolicy`, metadata, spec };
    const actions = kind === 'Validating' ? { validationActions: ['Deny'] } : {};
    const binding = { ...policy, kind: `${kind}AdmissionPolicyBinding`, spec: { policyName: metadata.name, ...actions } };
    await callLive('POST', collection(policy), JSON.stringify(policy));
    await callLive('POST', collection(binding), JSON.stringify(binding));
  }
}

interface Case {
  readonly namespace: string;
  readonly subject: Subject;
  readonly random: RandomPolicy;
  readonly objects: ValueMap[];
}

async function runBatch(from: number, count: number): Promise<void> {
  const cases: Case[] = [];
  for (let i = from; i < from + count; i += 1) {
    const one = await prepare(i);
    if (one !== undefined) cases.push(one);
  }
  await untilActive(from);
  for (const [i, one] of cases.entries()) await callsOf(one, randomFrom(seed * 7919 + from + i));
  for (const { random } of cases)
    for (const object of [random.binding, random.policy]) await callLive('DELETE', `${collection(object)}/${nameOf(object)}`);
}

/** Creates namespace, parameters and stored objects, and posts the policy; compares a refusal immediately. */
async function prepare(i: number): Promise<Case | undefined> {
  const r = randomFrom(seed * 100_003 + i);
  const namespace = `ns-${seed}-${i}`;
  const subject = r.pick(subjects);
  const random = randomPolicy(r, subject, { name: `p-${seed}-${i}`, namespace });
  const objects: ValueMap[] = [];
  const make = async (path: string, object: Plain): Promise<void> => {
    const { status, body } = await callLive('POST', path, JSON.stringify(object));
    const value = status === 201 ? readUnstructured(body) : undefined;
    if (isMap(value)) objects.push(value);
  };
  await make('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: r.chance(50) ? { team: 'web' } : {} },
  });
  await make(`/api/v1/namespaces/${namespace}/serviceaccounts`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default' },
  });
  await make(`/api/v1/namespaces/${namespace}/configmaps`, param('limits', { max: '3' }));
  // Only one: parameters found by a selector are in random order.
  await make(pathOf(subject, namespace), manifest(subject, 'stored', { r, isPlain: true }));
  const posted = await compare({ method: 'POST', path: collection(random.policy), body: random.policy }, objects, `post ${i}`);
  if (posted.status !== 201) {
    found.refused += 1;
    return undefined;
  }
  found.posted += 1;
  const bound = await callLive('POST', collection(random.binding), JSON.stringify(random.binding));
  for (const { body } of [posted, bound]) {
    const value = readUnstructured(body);
    if (isMap(value)) objects.push(value);
  }
  const definition = readUnstructured(
    (await callLive('GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com')).body,
  );
  if (isMap(definition)) objects.push(definition);
  return { namespace, subject, random, objects };
}

function param(name: string, data: { readonly [key: string]: Plain }): Plain {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { param: 'yes' } }, data };
}

/** Policies are compiled every second: when the last one of each kind is active, all are. */
async function untilActive(batch: number): Promise<void> {
  const namespace = `sentinel-${seed}-${batch}`;
  await callLive('POST', '/api/v1/namespaces', JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }));
  const rules = {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
  };
  const parts = {
    Validating: { validations: [{ expression: "has(object.data) && object.data.seen == 'never'" }] },
    Mutating: {
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{data: {"seen": "yes"}}' } }],
    },
  };
  for (const [kind, part] of Object.entries(parts)) {
    const policy = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: `${kind}AdmissionPolicy`,
      metadata: { name: namespace },
      spec: { matchConstraints: rules, ...part },
    };
    const binding = {
      ...policy,
      kind: `${kind}AdmissionPolicyBinding`,
      spec: { policyName: namespace, ...(kind === 'Validating' ? { validationActions: ['Warn'] } : {}) },
    };
    await callLive('POST', collection(policy), JSON.stringify(policy));
    await callLive('POST', collection(binding), JSON.stringify(binding));
  }
  for (let i = 0; i < 100; i += 1) {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } });
    const answer = await callLive('POST', `/api/v1/namespaces/${namespace}/configmaps?dryRun=All`, body);
    if (answer.warnings.length > 0 && answer.body.includes('"seen":"yes"')) return;
    await wait(300);
  }
  throw new Error('the policies do not become active');
}

async function callsOf({ namespace, subject, objects, random }: Case, r: Random): Promise<void> {
  const path = pathOf(subject, namespace);
  const stored = objects.find(o => stringAt(o, 'metadata', 'name') === 'stored');
  const calls: Sent[] = [
    { method: 'POST', path, body: manifest(subject, 'web', { r, isPlain: false }) },
    { method: 'POST', path: `${path}?dryRun=All`, body: manifest(subject, 'other', { r, isPlain: r.chance(50) }) },
  ];
  if (stored !== undefined) {
    const change = r.pick<Plain>([
      { metadata: { labels: { team: 'x' } } },
      { metadata: { labels: { app: null } } },
      { metadata: { annotations: { note: 'n' } } },
    ]);
    calls.push({ method: 'PATCH', path: `${path}/stored?dryRun=All`, body: change, contentType: 'application/merge-patch+json' });
    if (subject.kind === 'Deployment' && r.chance(50))
      calls.push({
        method: 'PATCH',
        path: `${path}/stored/scale?dryRun=All`,
        body: { spec: { replicas: 3 } },
        contentType: 'application/merge-patch+json',
      });
    if (random.phase === 'validating') calls.push({ method: 'DELETE', path: `${path}/stored?dryRun=All` });
  }
  for (const [i, call] of calls.entries()) await compare(call, objects, `${namespace} ${i}`);
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: Plain;
  readonly contentType?: string;
}

async function compare(sent: Sent, objects: readonly ValueMap[], name: string): Promise<LiveAnswer> {
  const { method, path, contentType = 'application/json' } = sent;
  const text = sent.body === undefined ? undefined : JSON.stringify(sent.body);
  const expected = await callLive(method, path, text, contentType);
  const call: ApiCall = {
    method,
    path,
    contentType: text === undefined ? undefined : contentType,
    userAgent,
    headers: {},
    body: text === undefined ? undefined : Buffer.from(text),
    user: undefined,
  };
  // A state must not change after its first use.
  const state: ClusterState = { objects: [...objects], presumesNamespaces: false, flags: [] };
  const answer = await handleCall(
    call,
    state,
    effectsFor(() => Promise.reject(new Error('there are no webhooks'))),
  ).then(
    report => report.answer,
    (error: unknown) => ({ status: -1, warnings: [], body: error instanceof Error ? (error.stack ?? '') : String(error) }),
  );
  found.calls += 1;
  statuses.set(expected.status, (statuses.get(expected.status) ?? 0) + 1);
  const [wanted, produced] = [masked(expected), masked(answer)];
  // Addresses of Go values differ in every call.
  if (wanted !== produced && !expected.body.includes('(0x') && expected.status !== 409) {
    found.different += 1;
    console.log(`${name}: ${method} ${path} ${text ?? ''}`);
    for (const object of objects)
      if (stringAt(object, 'kind').includes('Policy')) console.log(`  ${JSON.stringify(plain(mapAt(object, 'spec')))}`);
    console.log(`  expected ${wanted}\n  found    ${produced}`);
  }
  return expected;
}

/** Masks times and random values; ignores the order of keys in objects. */
function masked({ status, warnings, body }: LiveAnswer): string {
  const isStatus = body.includes('"kind":"Status"');
  const text = isStatus ? body : JSON.stringify(plain(body.startsWith('{') ? readUnstructured(body) : body));
  return `${status} ${JSON.stringify(warnings)} ${text}`
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replace(/20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"N"')
    .replace(/"clusterIPs?":(?:"[^"]*"|\[[^\]]*\])/g, '"clusterIP":IP');
}

function plain(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)).map(([key, inside]) => [key, plain(inside)]));
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'bigint' ? String(value) : value;
}

function collection(object: { readonly [key: string]: Plain | undefined }): string {
  const kind = String(object['kind']).toLowerCase();
  return `/apis/admissionregistration.k8s.io/v1/${`${kind}s`.replace(/ys$/, 'ies')}`;
}

function nameOf(object: { readonly [key: string]: Plain | undefined }): string {
  return stringAt(toValue(object), 'metadata', 'name');
}

function pathOf({ group, version, resource }: Subject, namespace: string): string {
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}/namespaces/${namespace}/${resource}`;
}

function manifest(
  { group, version, kind }: Subject,
  name: string,
  { r, isPlain }: { readonly r: Random; readonly isPlain: boolean },
): Plain {
  const labels = isPlain || r.chance(60) ? { app: 'web' } : undefined;
  const annotations = r.chance(30) ? { note: 'a' } : undefined;
  // A token's volume has a random name.
  const podSpec = {
    automountServiceAccountToken: false,
    containers: [{ name: 'main', image: 'busybox' }, ...(r.chance(30) ? [{ name: 'b', image: 'c' }] : [])],
  };
  const template = { metadata: { labels: { app: 'web' } }, spec: podSpec };
  const bodies: Readonly<Record<string, { readonly [key: string]: Plain | undefined }>> = {
    Deployment: { spec: { ...(r.chance(70) ? { replicas: r.below(6) } : {}), selector: { matchLabels: { app: 'web' } }, template } },
    Pod: { spec: podSpec },
    ConfigMap: { data: r.chance(80) ? { stage: r.pick(['a', 'prod']), team: 'x' } : undefined },
    Service: { spec: { ports: [{ port: 80 }], selector: { app: 'web' } } },
    Job: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
    Widget: {
      spec: {
        size: r.below(5),
        ...(r.chance(50)
          ? { tags: ['a'], note: null, options: { a: 'b' }, port: r.pick<Plain>([5, 'http']), ratio: r.pick([2, 2.5]) }
          : {}),
      },
    },
  };
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata: { name, labels, annotations }, ...bodies[kind] };
}
