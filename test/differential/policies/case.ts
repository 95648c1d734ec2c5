import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { isMap, type ValueMap } from '../../../src/go/value.js';
import { applyPatch, type Json, type JsonObject, mergePatch } from '../calls/scene.js';
import { sendToServer } from '../calls/server.js';
import { type Random, randomFrom } from '../random.js';
import { type Comparing, compare, type Sent } from './compare.js';
import { parameter } from './params.js';
import { type RandomPolicy, randomPolicy } from './policy.js';
import { collectionOf, developer } from './shared-objects.js';
import { manifest, pathOf, type Subject, subjects } from './subjects.js';

/** A policy in its namespace, with the objects that its calls meet. */
export interface Case {
  readonly namespace: string;
  readonly subject: Subject;
  readonly random: RandomPolicy;
  readonly objects: readonly ValueMap[];
  /** Body of the stored object of the subject's kind; undefined if its creation was refused. */
  readonly stored: JsonObject | undefined;
  readonly hasWebhooks: boolean;
}

/** Where a case is made. */
interface Making {
  readonly seed: number;
  readonly shared: readonly ValueMap[];
  readonly comparing: Comparing;
}

/** Creates namespace, parameters and stored objects, and posts the policy; compares a refusal immediately. */
export async function makeCase(i: number, { seed, shared, comparing }: Making): Promise<Case | undefined> {
  const r = randomFrom(seed * 100_003 + i);
  const namespace = `ns-${seed}-${i}`;
  const subject = r.pick(subjects);
  const random = randomPolicy(r, subject, { name: `p-${seed}-${i}`, namespace });
  const hasWebhooks = r.chance(30);
  const objects: ValueMap[] = [...shared];
  const make = async (path: string, object: JsonObject): Promise<JsonObject | undefined> => {
    const { status, body } = await sendToServer({ method: 'POST', path, body: object });
    if (status !== 201) return undefined;
    const value = readUnstructured(body);
    if (isMap(value)) objects.push(value);
    return JSON.parse(body) as JsonObject;
  };
  const labels = { ...(r.chance(50) ? { team: 'web' } : {}), ...(hasWebhooks ? { hook: r.pick(['needed', 'never']) } : {}) };
  await make('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  await make(`/api/v1/namespaces/${namespace}/serviceaccounts`, account);
  const { paramKind } = random;
  if (paramKind?.path !== undefined) await make(paramKind.path(namespace), parameter(paramKind, namespace));
  const stored = await make(pathOf(subject, namespace), manifest(subject, 'stored', { r, isPlain: true }));
  const posted = await compare(postOf(random.policy), objects, `post ${i}`, comparing);
  if (posted.status !== 201) return undefined;
  const value = readUnstructured(posted.body);
  if (isMap(value)) objects.push(value);
  for (const binding of random.bindings) await make(`/apis/${collectionOf(binding)}`, binding);
  return { namespace, subject, random, objects, stored, hasWebhooks };
}

function postOf(object: JsonObject): Sent {
  return { method: 'POST', path: `/apis/${collectionOf(object)}`, body: object };
}

/** Calls that the policy of a case is about. All but the last one are dry runs, so that the state remains as it is. */
export function callsOf({ namespace, subject, stored, random, hasWebhooks }: Case, r: Random): Sent[] {
  const path = pathOf(subject, namespace);
  const dryRun = 'dryRun=All';
  const other = subject.otherVersion === undefined ? subject : { ...subject, version: subject.otherVersion };
  const calls: Sent[] = [
    { method: 'POST', path: `${path}?${dryRun}`, body: manifest(subject, 'other', { r, isPlain: r.chance(50) }) },
    { method: 'POST', path: `${pathOf(other, namespace)}?${dryRun}`, body: manifest(other, 'web', { r, isPlain: r.chance(50) }) },
  ];
  if (r.chance(20)) {
    const { metadata, ...generated } = manifest(subject, 'x', { r, isPlain: true });
    const { name: _name, ...others } = metadata as JsonObject;
    calls.push({ method: 'POST', path: `${path}?${dryRun}`, body: { ...generated, metadata: { ...others, generateName: 'gen-' } } });
  }
  if (r.chance(30)) {
    const applied = `${path}/applied?fieldManager=a&force=true&${dryRun}`;
    calls.push({ method: 'PATCH', path: applied, body: manifest(subject, 'applied', { r, isPlain: true }), contentType: applyPatch });
  }
  if (stored !== undefined) calls.push(...callsOnStored(stored, { path, subject, r, isValidating: random.phase === 'validating' }));
  calls.push({ method: 'POST', path, body: manifest(subject, 'web', { r, isPlain: false }) });
  return calls.map(call => ({
    ...call,
    ...(r.chance(30) ? { user: developer } : {}),
    ...(hasWebhooks ? { replies: replies(r, subject) } : {}),
  }));
}

interface Stored {
  readonly path: string;
  readonly subject: Subject;
  readonly r: Random;
  readonly isValidating: boolean;
}

function callsOnStored(stored: JsonObject, { path, subject, r, isValidating }: Stored): Sent[] {
  const change = r.pick<JsonObject>([
    { metadata: { labels: { team: 'x' } } },
    { metadata: { labels: { app: null } } },
    { metadata: { annotations: { note: 'n' } } },
  ]);
  const calls: Sent[] = [{ method: 'PATCH', path: `${path}/stored?dryRun=All`, body: change, contentType: mergePatch }];
  for (const [subresource, body] of Object.entries(subject.subresources))
    if (r.chance(40)) calls.push({ method: 'PATCH', path: `${path}/stored/${subresource}?dryRun=All`, body, contentType: mergePatch });
  if (r.chance(30)) {
    const metadata = { ...(stored['metadata'] as JsonObject), labels: { app: r.pick(['web', 'x']) } };
    calls.push({ method: 'PUT', path: `${path}/stored?dryRun=All`, body: { ...stored, metadata } });
  }
  if (subject.kind === 'Pod' && r.chance(50)) {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'stored' }, deleteOptions: { dryRun: ['All'] } };
    calls.push({ method: 'POST', path: `${path}/stored/eviction?dryRun=All`, body: eviction });
  }
  if (isValidating) {
    calls.push({ method: 'DELETE', path: `${path}/stored?dryRun=All` });
    if (r.chance(20)) calls.push({ method: 'DELETE', path: `${path}?dryRun=All` });
  }
  return calls;
}

/** What webhooks answer: the first and the second time. */
function replies(r: Random, subject: Subject): Record<string, JsonObject[]> {
  const reply = (): JsonObject => {
    if (r.chance(4)) return { allowed: false, status: { message: 'refused' } };
    if (r.chance(40)) return { allowed: true };
    const patch = Buffer.from(JSON.stringify([change(r, subject)])).toString('base64');
    return { allowed: true, patchType: 'JSONPatch', patch };
  };
  return { '/m': [reply(), reply()], '/n': [reply(), reply()], '/v': [{ allowed: !r.chance(5) }] };
}

const ownChanges: Readonly<Record<string, readonly [string, Json]>> = {
  Deployment: ['/spec/replicas', 7],
  Pod: ['/spec/containers/0/image', 'hooked'],
  ConfigMap: ['/data', { stage: 'hook' }],
  Service: ['/spec/sessionAffinity', 'ClientIP'],
  Job: ['/spec/parallelism', 2],
  HorizontalPodAutoscaler: ['/spec/maxReplicas', 9],
  Widget: ['/spec/size', 4],
};

function change(r: Random, { kind }: Subject): JsonObject {
  const own = ownChanges[kind] ?? ['/metadata/labels', {}];
  const [path, value] = r.pick<readonly [string, Json]>([
    own,
    ['/metadata/labels', { app: 'web', hook: 'a' }],
    ['/metadata/labels', { app: 'x' }],
    ['/metadata/annotations', { note: 'hook' }],
  ]);
  return { op: 'add', path, value };
}
