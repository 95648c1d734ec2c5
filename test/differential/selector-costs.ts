import { compiledSelector } from '../../src/cel/compiled-selector.js';
import { AbortedConnection } from '../../src/kubernetes/status.js';
import { server } from '../support/server.js';
import { type Kind, leaves } from './expression-signatures.js';
import { countAndSeed } from './oracle.js';
import { randomFrom } from './random.js';
import { randomExpression, range, vocabularyOf } from './random-expression.js';
import { objectOf, produced, type Reply, send } from './real-server.js';

/**
 * Compares random device selectors with a real API server: whether it accepts a claim with them. Each is posted twice, with additional
 * selectors so that the first one is exactly at the cost limit, and the second one exceeds it. `KUBE_APISERVER=https://127.0.0.1:PORT
 * KUBE_TOKEN=... node dist/test/differential/selector-costs.js [COUNT] [SEED]`
 */
const { count, seed } = countAndSeed();
const random = randomFrom(seed);
const path = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims?dryRun=All';
const limit = 1_000_000n;
const own: readonly (readonly [kind: Kind, text: string])[] = [
  ['string', 'device.driver'],
  ['string', "device.attributes['a'].name.lowerAscii()"],
  ['bool', 'device.allowMultipleAllocations'],
  ['bool', "'x' in device.attributes['a.example.com']"],
  ['bool', "has(device.capacity['a'].b)"],
  ['bool', "cel.bind(d, device.attributes['a.example.com'], d.x == d.y && d['z'])"],
  ['dyn', "device.attributes['a.example.com'].x"],
  ['dyn', "device.attributes['a.example.com']['x']"],
  ['quantity', "device.capacity['a.example.com'].memory"],
  ['map:domains', 'device.attributes'],
  ['map:attributes', "device.attributes['a']"],
  ['map:capacity', "device.capacity['a']"],
];
const literals = Object.entries(leaves).map(([kind, texts]) => [
  kind,
  texts.filter(text => !/object|Object|request|authorizer/.test(text)),
]);
const words = new Map(literals as [Kind, string[]][]);
for (const [kind, text] of own) words.set(kind, [...(words.get(kind) ?? []), text, text, text]);
const vocabulary = vocabularyOf(Object.fromEntries([...words].filter(([, texts]) => texts.length > 0)), [
  range('list:int', 'int', ['int', 'int']),
  range('list:string', 'string', ['int', 'string']),
  range('map:attributes', 'string', ['string', 'dyn']),
  range('map:capacity', 'string', ['string', 'quantity']),
  { kind: 'map:domains', one: { kind: 'string' }, two: [{ kind: 'string' }, { kind: 'map:attributes', parts: [['.x', 'dyn']] }] },
]);
const tally = new Map<string, number>();
let different = 0;

for (let i = 0; i < count; i += 1) await compare(randomExpression(random, 'bool', vocabulary));
console.log(`${different} differences in ${count} (${[...tally].map(([name, times]) => `${name} ${times}`).join(', ')})`);
if (different > 0) process.exitCode = 1;

async function compare(expression: string): Promise<void> {
  const beside = (more: bigint): string => `(${expression}) || lists.range(${more}) == []`;
  const cost = costOf(beside(0n));
  if (cost === undefined || cost === 0n || cost > limit) return compareAnswers(expression);
  await compareAnswers(beside(limit - cost));
  await compareAnswers(beside(limit - cost + 1n));
}

/** Undefined where compiling panics. */
function costOf(expression: string): bigint | undefined {
  try {
    return compiledSelector(server, expression).cost;
  } catch (error) {
    if (error instanceof AbortedConnection) return undefined;
    throw error;
  }
}

async function compareAnswers(expression: string): Promise<void> {
  const body = Buffer.from(JSON.stringify(claimOf(expression)));
  const call = { method: 'POST', path, contentType: 'application/json', body };
  const namespace = objectOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  const [found, expected] = [told(await produced(call, [namespace])), told(await send(call))];
  const kind = ['accepted', 'too complex', 'compilation failed'].find(words => expected.includes(words)) ?? 'other';
  tally.set(kind, (tally.get(kind) ?? 0) + 1);
  if (found === expected) return;
  different += 1;
  if (different <= 10) console.log(`${JSON.stringify(expression)}\n  expected ${expected}\n  found    ${found}`);
}

function told({ status, body }: Reply): string {
  return status === 201 ? 'accepted' : `${status} ${(JSON.parse(body === '' ? '{}' : body) as { message?: string }).message}`;
}

function claimOf(expression: string): object {
  const exactly = { deviceClassName: 'example', selectors: [{ cel: { expression } }] };
  const metadata = { name: 'claim', namespace: 'default' };
  return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata, spec: { devices: { requests: [{ name: 'a', exactly }] } } };
}
