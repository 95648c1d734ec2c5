import { structural } from '../../src/apiserver/objects/structural-schema.js';
import { estimatedRulesOf } from '../../src/apiserver/registry/custom/rules/estimated-rules.js';
import { declaredTypeOf } from '../../src/cel/schema/declared-type.js';
import type { ApiCall } from '../../src/kubernetes/api-call.js';
import { AbortedConnection } from '../../src/kubernetes/status.js';
import { server } from '../support/server.js';
import { countAndSeed } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import { randomRuleSchema } from './random-rule-schema.js';
import { objectOf, produced, type Reply, send } from './real-server.js';

/**
 * Compares random definitions with rules with a real API server: the exact answer to posting them. Many are sized so that a rule slightly
 * exceeds the cost limit, and the reported factor reveals the estimate. `KUBE_APISERVER=https://127.0.0.1:PORT KUBE_TOKEN=... node
 * dist/test/differential/rule-costs.js [COUNT] [SEED]`
 */
const { count, seed } = countAndSeed();
const random = randomFrom(seed);
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';
const tally = new Map<string, number>();
/** Parts of an answer. */
const told: Readonly<Record<string, RegExp>> = {
  exactly: /estimated rule cost exceeds budget by factor of 1\.\d{6}x/,
  roughly: /estimated rule cost exceeds budget by factor of \d+\.\dx/,
  'not at all': /estimated rule cost exceeds budget by factor of more/,
  messages: /estimated messageExpression cost exceeds/,
  total: /estimated rule cost total for entire OpenAPIv3 schema exceeds/,
  'not compiling': /compilation failed|must evaluate to a/,
  accepted: /^accepted$/,
};
const line = '\n    ';
let different = 0;
let unordered = 0;

for (let i = 0; i < count; i += 1)
  await compare(definitionOf(random.chance(10) ? [schemaOf(random), schemaOf(random)] : [schemaOf(random)]));
const kinds = [...tally].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, times]) => `${name} ${times}`);
console.log(`${different} differences in ${count} (${kinds.join(', ')}; ${unordered} as one of several answers)`);
if (different > 0) process.exitCode = 1;

async function compare(definition: object): Promise<void> {
  const call = { method: 'POST', path, contentType: 'application/json', body: Buffer.from(JSON.stringify(definition)) };
  const found = settled(await produced(call, []));
  const expected = settled(await send(call));
  for (const kind of kindsOf(expected)) tally.set(kind, (tally.get(kind) ?? 0) + 1);
  if (found === expected) return;
  if (await isOneOfSeveral(found, call)) {
    unordered += 1;
    return;
  }
  different += 1;
  if (different > 10) return;
  const [ours, theirs] = [found, expected].map(answer => new Set(answer.split(line)));
  const only = (here = ours, there = theirs) => [...(here ?? [])].filter(text => !there?.has(text)).join(line);
  console.log(`${JSON.stringify(definition)}\n  expected ${only(theirs, ours)}\n  found    ${only(ours, theirs)}`);
}

/** The server visits properties in random order, and names four of several rules with the same cost: those it visited first. */
async function isOneOfSeveral(found: string, call: ApiCall): Promise<boolean> {
  const answers = new Set<string>();
  for (let i = 0; i < 20; i += 1) answers.add(settled(await send(call)));
  return answers.size > 1 && withoutNamed(found) === withoutNamed([...answers][0] ?? '');
}

function withoutNamed(answer: string): string {
  return answer
    .split(line)
    .filter(text => !text.includes('contributed to estimated rule cost total'))
    .join(line);
}

/** The messages, one per line; the name of the type of `self` changes with each call. */
function settled({ status, body }: Reply): string {
  if (status === 201) return 'accepted';
  const { message = '' } = JSON.parse(body === '' ? '{}' : body) as { message?: string };
  return [
    status,
    ...message
      .replaceAll(/selfType\d+/g, 'selfType0')
      .split(/(?:, |\[|\]$)(?=spec\.|$)/)
      .sort(),
  ].join(line);
}

function kindsOf(answer: string): readonly string[] {
  const kinds = Object.keys(told).filter(kind => told[kind]?.test(answer));
  return kinds.length === 0 ? ['other'] : kinds;
}

/** A schema of whole objects, with rules at one place in it. */
function schemaOf(random: Random): object {
  const schema = randomRuleSchema(random);
  if (schema['type'] === 'object' && random.chance(8)) {
    const { properties = {}, required, 'x-kubernetes-validations': rules } = schema;
    return { type: 'object', properties, required, 'x-kubernetes-validations': rules };
  }
  return { type: 'object', properties: { v: below(random, schema, timesOf(random, schema)) } };
}

/** Number of values for which the first rule exceeds the cost limit by up to half. */
function timesOf(random: Random, schema: object): number {
  const cost = Number(firstCost(schema));
  return cost === 0 ? 1 : Math.ceil((10_000_000 * (1 + random.below(500) / 1000)) / cost);
}

/** Also zero where compiling panics. */
function firstCost(schema: object): bigint {
  const structure = structural(objectOf(schema));
  const declared = declaredTypeOf(server, structure, false);
  try {
    const [rule] = declared === undefined ? [] : estimatedRulesOf(server, structure, declared);
    return rule?.cost ?? 0n;
  } catch (error) {
    if (error instanceof AbortedConnection) return 0n;
    throw error;
  }
}

/** The schema itself, in a list or map with a maximum size, or in one without. */
function below(random: Random, schema: object, times: number): object {
  if (times <= 1 || random.chance(15)) return random.chance(70) ? schema : collection(random, schema, undefined);
  if (random.chance(5)) return collection(random, collection(random, schema, times), undefined);
  const outer = 1 + random.below(Math.min(times, 20));
  return outer === 1 || random.chance(60)
    ? collection(random, schema, times)
    : collection(random, { type: 'object', properties: { w: collection(random, schema, Math.ceil(times / outer)) } }, outer);
}

function collection(random: Random, schema: object, most: number | undefined): object {
  const limit = (name: string) => (most === undefined ? {} : { [name]: most });
  return random.chance(50)
    ? { type: 'array', items: schema, ...limit('maxItems') }
    : { type: 'object', additionalProperties: schema, ...limit('maxProperties') };
}

function definitionOf(schemas: readonly object[]): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      scope: 'Namespaced',
      versions: schemas.map((openAPIV3Schema, i) => ({ name: `v${i + 1}`, served: true, storage: i === 0, schema: { openAPIV3Schema } })),
      conversion: { strategy: 'None' },
    },
  };
}
