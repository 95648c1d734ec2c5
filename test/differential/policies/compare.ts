import { randomUUID } from 'node:crypto';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { mapAt, stringAt, type ValueMap } from '../../../src/go/value.js';
import { flagValues, serverOptions } from '../../../src/kubernetes/server-options.js';
import { clusterStateWith } from '../../support/cluster-state.js';
import type { Hooks, Review } from '../calls/hooks.js';
import { bytesOf, type JsonObject, type SceneRequest } from '../calls/scene.js';
import { type Outcome, sendToServer, userAgent } from '../calls/server.js';
import { type AuditLog, policyAnnotations } from './audit.js';

/** A call with the answers of its webhooks. */
export interface Sent extends SceneRequest {
  readonly replies?: Readonly<Record<string, readonly JsonObject[]>>;
}

/** The real API server, and what is counted. */
export interface Comparing {
  readonly hooks: Hooks;
  readonly audit: AuditLog | undefined;
  readonly counts: { calls: number; different: number };
  readonly statuses: Map<number, number>;
}

/** Answer of one side, with what can be seen besides. */
interface Result extends Outcome {
  readonly reviews: readonly Review[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** Makes the call at the API server and in the project, and prints a difference. Returns the API server's answer. */
export async function compare(sent: Sent, objects: readonly ValueMap[], name: string, comparing: Comparing): Promise<Outcome> {
  const { counts, statuses } = comparing;
  const expected = await answerOfServer(sent, comparing);
  const found = await answerOfProject(sent, objects, comparing);
  counts.calls += 1;
  statuses.set(expected.status, (statuses.get(expected.status) ?? 0) + 1);
  const [wanted, produced] = [masked(expected), masked(found)];
  // Addresses of Go values differ in every call.
  if (wanted !== produced && !expected.body.includes('(0x')) {
    counts.different += 1;
    console.log(
      `${name}: ${sent.method} ${sent.path} ${sent.user?.username ?? ''} ${JSON.stringify(sent.body)} ${JSON.stringify(sent.replies)}`,
    );
    for (const object of objects)
      if (stringAt(object, 'kind').includes('Policy')) console.log(`  ${JSON.stringify(plain(mapAt(object, 'spec')))}`);
    console.log(`  expected ${wanted}\n  found    ${produced}`);
  }
  return expected;
}

async function answerOfServer(sent: Sent, { hooks, audit }: Comparing): Promise<Result> {
  const id = randomUUID();
  const { reviews } = hooks.start('', sent.replies);
  const outcome = await sendToServer({ ...sent, headers: { 'Audit-ID': id } });
  return { ...outcome, reviews, annotations: (await audit?.annotationsOf(id)) ?? {} };
}

async function answerOfProject(sent: Sent, objects: readonly ValueMap[], { hooks, audit }: Comparing): Promise<Result> {
  const { reviews, callWebhook } = hooks.start('', sent.replies);
  const body = bytesOf(sent);
  const contentType = body === undefined ? undefined : (sent.contentType ?? 'application/json');
  const call = { method: sent.method, path: sent.path, contentType, body, headers: {}, user: sent.user, userAgent };
  // A state must not change after its first use.
  const state = clusterStateWith({
    objects: [...objects],
    presumesNamespaces: false,
    options: serverOptions(flagValues(['--authorization-mode=RBAC'])),
  });
  try {
    const { answer, decision } = await handleCall(call, state, effectsFor(callWebhook));
    const annotations = audit === undefined ? {} : policyAnnotations(decision.auditAnnotations);
    return { ...answer, reviews, annotations };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? '') : String(error);
    return { status: -1, warnings: [], body: text, reviews: [], annotations: {} };
  }
}

/** Masks times and random values; ignores the order of keys in objects, and of bindings in warnings. */
function masked({ status, warnings, body, reviews, annotations }: Result): string {
  const isStatus = body.includes('"kind":"Status"');
  const text = isStatus ? body : JSON.stringify(plain(body.startsWith('{') ? readUnstructured(body) : body));
  const seen = reviews.map(review => `\n    ${review.path} ${review.body}`).join('');
  const whole = `${status} ${JSON.stringify([...warnings].sort())} ${text} ${JSON.stringify(annotations)}${seen}`
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replace(/20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"N"')
    .replace(/"nodePort":3\d{4}/g, '"nodePort":PORT')
    .replace(/"clusterIPs?":(?:"[^"]*"|\[[^\]]*\])/g, '"clusterIP":IP');
  const prefixes = new Set([...whole.matchAll(/"generateName":"([\w.-]+)"/g)].map(([, prefix = '']) => prefix));
  return [...prefixes].reduce(
    (now, prefix) => now.replaceAll(new RegExp(`"${prefix}[bcdfghjklmnpqrstvwxz2456789]{5}"`, 'g'), `"${prefix}?"`),
    whole,
  );
}

function plain(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)).map(([key, inside]) => [key, plain(inside)]));
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'bigint' ? String(value) : value;
}
