import { writeValue } from '../../src/go/json/write.js';
import { copyOf, isList, isMap, type Value, type ValueMap } from '../../src/go/value.js';
import type { FieldSchema, Schema, StructSchema } from '../../src/kubernetes/schema.js';
import { schemaOfKind } from '../../src/kubernetes/type-table.js';
import { answerOf } from '../corpus/functions/strategic-merge.js';
import { server } from '../support/server.js';
import { compareWithOracle, countAndSeed, type Question } from './oracle.js';
import { type Random, randomFrom } from './random.js';
import { randomStruct, randomValue, type Shape } from './random-object.js';

/** Compares strategic merge patches of random objects, of kinds with many merge keys, with the API server's library. */
const kinds = [
  { group: 'apps', version: 'v1', kind: 'Deployment' },
  { group: '', version: 'v1', kind: 'Pod' },
  { group: '', version: 'v1', kind: 'Service' },
  { group: '', version: 'v1', kind: 'ServiceAccount' },
  { group: '', version: 'v1', kind: 'Node' },
  { group: '', version: 'v1', kind: 'ConfigMap' },
  { group: 'apps', version: 'v1', kind: 'ControllerRevision' },
  { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress' },
  { group: 'admissionregistration.k8s.io', version: 'v1', kind: 'MutatingWebhookConfiguration' },
  { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
];

/** Fields on the path to merged lists are set more often. */
const busy = new Set([
  'spec',
  'template',
  'metadata',
  'containers',
  'env',
  'ports',
  'volumes',
  'finalizers',
  'strategy',
  'ownerReferences',
  'conditions',
  'webhooks',
  'name',
  'containerPort',
  'port',
  'uid',
  'type',
]);

function question(r: Random): Question {
  const kind = r.pick(kinds);
  const schema = schemaOfKind(server, kind);
  if (schema === undefined) throw new Error(`no kind ${kind.kind}`);
  const shape: Shape = { fieldPercent: () => 100, wants: field => r.chance(busy.has(field.name) ? 75 : 7) };
  const original = randomStruct(r, schema, { shape });
  if (r.chance(70)) tidyKeys(original, schema, r);
  const patch = r.chance(60) ? edited(r, original, { schema, shape }) : randomStruct(r, schema, { shape });
  if (r.chance(70)) tidyKeys(patch, schema, r);
  const odd = r.chance(35);
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  return {
    fn: 'strategic-merge',
    kind: `${apiVersion}/${kind.kind}`,
    original: writeValue(original, 'kept'),
    patch: writeValue(withDirectives(r, patch, { schema, odd }), 'kept'),
  };
}

/** Sets merge keys of items, mostly distinct. */
function tidyKeys(value: Value, schema: Schema, r: Random): void {
  if (schema.type !== 'struct' || !isMap(value)) return;
  for (const field of schema.fields) {
    const member = value.get(field.name);
    if (isMap(member)) tidyKeys(member, field.schema, r);
    if (!isList(member) || field.schema.type !== 'list') continue;
    const items = field.schema.items;
    const keyField = items.type === 'struct' && field.patchMergeKey !== undefined ? items.fieldsByName.get(field.patchMergeKey) : undefined;
    const keys = ['a', 'b', 'c', 'd', 'e'];
    for (const item of member) {
      tidyKeys(item, items, r);
      if (!isMap(item) || keyField === undefined) continue;
      const at = r.below(keys.length);
      const key = keys.splice(at, 1)[0] ?? 'z';
      item.set(keyField.name, keyField.schema.type === 'leaf' && keyField.schema.leaf === 'int32' ? BigInt(key.charCodeAt(0)) : key);
    }
  }
}

/** A patch derived from the original: some members changed, null or removed. */
function edited(r: Random, original: ValueMap, { schema, shape }: { schema: StructSchema; shape: Shape }): ValueMap {
  const patch: ValueMap = new Map();
  for (const [key, value] of original) {
    const field = schema.fieldsByName.get(key);
    if (field === undefined || r.chance(25)) continue;
    patch.set(key, editedMember(r, value, { field, shape }));
  }
  return patch;
}

function editedMember(r: Random, value: Value, { field, shape }: { field: FieldSchema; shape: Shape }): Value {
  if (r.chance(6)) return null;
  const { schema } = field;
  if (schema.type === 'struct' && isMap(value)) return edited(r, value, { schema, shape });
  if (schema.type === 'list' && isList(value)) {
    const items = value
      .filter(() => r.chance(60))
      .map(item => (schema.items.type === 'struct' && isMap(item) ? edited(r, item, { schema: schema.items, shape }) : item));
    if (r.chance(40)) items.splice(r.below(items.length + 1), 0, randomValue(r, schema.items, { shape, depth: 3 }));
    if (r.chance(20)) items.reverse();
    return items;
  }
  return r.chance(50) ? copyOf(value) : randomValue(r, schema, { shape, depth: 3 });
}

function withDirectives(r: Random, patch: ValueMap, { schema, odd }: { schema: StructSchema; odd: boolean }): ValueMap {
  for (const [key, value] of [...patch]) {
    const field = schema.fieldsByName.get(key);
    if (field?.schema.type === 'struct' && isMap(value)) withDirectives(r, value, { schema: field.schema, odd });
    if (field?.schema.type === 'list' && isList(value)) listDirectives(r, { patch, key, value, field, odd });
    if (odd && r.chance(1)) patch.set(key, r.pick<Value>([1n, 'x', true, 1.5, [], [1n], new Map(), [null], 2, 1e300]));
  }
  if (r.chance(1)) patch.set('$patch', r.pick<Value>(['replace', 'delete', ...(odd ? ['merge', 1n, null, new Map(), [1n], 1.5] : [])]));
  if (r.chance(2))
    patch.set(
      '$retainKeys',
      odd && r.chance(20)
        ? r.pick<Value>(['x', [new Map()], [1n]])
        : [...patch.keys(), ...(r.chance(50) ? ['name'] : [])].slice(r.chance(95) ? 0 : 1),
    );
  if (odd && r.chance(1))
    patch.set(
      r.pick([
        '$setElementOrder',
        '$setElementOrder/',
        '$setElementOrder/nope',
        '$deleteFromPrimitiveList',
        '$deleteFromPrimitiveListX',
        '$deleteFromPrimitiveList/',
        'zz',
        'Spec',
        'nAme',
      ]),
      r.pick<Value>([[], ['a'], 1n, new Map(), null]),
    );
  if (r.chance(10) && patch.size > 1) return reordered(patch);
  return patch;
}

function listDirectives(
  r: Random,
  { patch, key, value, field, odd }: { patch: ValueMap; key: string; value: Value[]; field: FieldSchema; odd: boolean },
): void {
  const items = field.schema.type === 'list' ? field.schema.items : undefined;
  for (const item of value) if (items?.type === 'struct' && isMap(item)) withDirectives(r, item, { schema: items, odd });
  const mergeKey = field.patchMergeKey;
  if (r.chance(20) || (odd && r.chance(10))) {
    const order = value.map(item =>
      mergeKey !== undefined && isMap(item) ? new Map([[mergeKey, item.get(mergeKey) ?? null]]) : copyOf(item),
    );
    const extra: Value = mergeKey === undefined ? 'a' : new Map([[mergeKey, mergeKey.endsWith('ort') ? 98n : 'b']]);
    if (r.chance(50)) order.splice(r.below(order.length + 1), 0, extra);
    if (r.chance(10)) order.reverse();
    patch.set(`$setElementOrder/${key}`, order);
    if (r.chance(15)) patch.delete(key);
  }
  if (mergeKey !== undefined && r.chance(12)) {
    const target = r.chance(70) && value.length > 0 ? r.pick(value) : new Map<string, Value>([[mergeKey, 'a']]);
    const directive = new Map<string, Value>([
      [mergeKey, (isMap(target) ? target.get(mergeKey) : undefined) ?? 'b'],
      ['$patch', odd && r.chance(20) ? r.pick<Value>(['merge', 'x', 1n]) : 'delete'],
    ]);
    value.splice(r.below(value.length + 1), 0, directive);
  }
  if (r.chance(3)) value.push(new Map([['$patch', 'replace']]));
  if (field.patchStrategy === 'merge' && mergeKey === undefined && r.chance(25)) {
    patch.set(
      `$deleteFromPrimitiveList/${key}`,
      value.filter(() => r.chance(50)),
    );
    if (r.chance(80)) patch.delete(key);
  }
  if (odd && r.chance(2)) value.push(r.pick<Value>([null, 1n, [], 'x']));
}

function reordered(map: ValueMap): ValueMap {
  const entries = [...map].reverse();
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
  return map;
}

const { count, seed } = countAndSeed();
const random = randomFrom(seed);
const questions = Array.from({ length: count }, () => question(random));
await compareWithOracle(
  {
    questions,
    answer: q => answerOf({ kind: String(q['kind']), original: String(q['original']), patch: String(q['patch']) }),
    only: ['panic'],
  },
  ['-tries', '16'],
);
