import type { Random } from '../random.js';
import { bad } from './bad-values.js';
import { isObject, type Json, type JsonObject } from './scene.js';

const fitting: Readonly<Record<string, readonly string[]>> = {
  '^[a-z]+$': ['a', 'abc'],
  '^v\\d+$': ['v1', 'v22'],
  '[0-9]{2,3}': ['12', 'x123y'],
  '^(a|b)?$': ['', 'a'],
  '^\\S+@\\S+$': ['a@b'],
  '^[\\w.-]{1,8}$': ['a.b-c'],
  date: ['2024-02-29', '2023-02-29'],
  'date-time': ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.123+02:00', '2024-01-02 03:04:05Z'],
  duration: ['1h', '90s', '1.5h', '1 h'],
  email: ['a@b.co', 'a'],
  uuid: ['b7e6a2d0-0000-4000-8000-000000000003'],
  ipv4: ['10.0.0.1', '::1'],
  ipv6: ['::1', '10.0.0.1'],
  cidr: ['10.0.0.0/8', '10.0.0.0/33'],
  uri: ['https://a/b', 'a b'],
  byte: ['YQ==', 'YQ'],
  mac: ['00:00:5e:00:53:01'],
  isbn: ['978-3-16-148410-0', '0321751043'],
  hexcolor: ['#fff'],
  rgbcolor: ['rgb(1,2,3)'],
  ssn: ['078-05-1120'],
};

const strings = ['a', 'abc', 'b', 'bad', 'v1', '12', 'a-b'];
const oddStrings = ['', 'ünï', 'x'.repeat(70), 'a\nb', 'A', '1'];

/** Returns a value of a schema; with `wrong` percent, at each place, one that does not fit. */
export function randomFitting(r: Random, schema: JsonObject, wrong = 0): Json {
  if (r.chance(wrong)) return structuredClone(r.pick(bad));
  if (schema['nullable'] === true && r.chance(20)) return null;
  const { enum: choices, type } = schema;
  if (Array.isArray(choices) && choices.length > 0 && !r.chance(wrong * 3)) return r.pick(choices);
  if (schema['x-kubernetes-int-or-string'] === true) return r.pick([1, 0, 'x', '50%', 80]);
  if (schema['x-kubernetes-embedded-resource'] === true) return embedded(r);
  switch (type) {
    case 'string':
      return text(r, schema, wrong);
    case 'integer':
      return r.pick([1, 2, 3, 2, 0, 5, 7, ...(r.chance(wrong * 3) ? [-7, 101, 2_147_483_648] : [])]);
    case 'number':
      return r.pick([1, 0.5, 2.5, 3, 0, 10.25, 1000, ...(r.chance(wrong * 3) ? [-0.1, 1e30] : [])]);
    case 'boolean':
      return r.chance(60);
    case 'array':
      return list(r, schema, wrong);
    case 'object':
      return members(r, schema, wrong);
    default:
      return structuredClone(r.pick<Json>([1, 'x', { a: { b: null } }, [1, 'x'], {}, true, 1e3]));
  }
}

function embedded(r: Random): JsonObject {
  const metadata = { name: 'e', ...(r.chance(20) ? { x: 1 } : {}) };
  return {
    apiVersion: r.pick(['v1', 'apps/v1']),
    kind: r.pick(['ConfigMap', 'Thing']),
    metadata,
    ...(r.chance(50) ? { data: { a: 'b' } } : {}),
  };
}

function text(r: Random, { pattern, format }: JsonObject, wrong: number): string {
  if (r.chance(wrong * 2)) return r.pick(oddStrings);
  return r.pick(fitting[String(pattern ?? format)] ?? strings);
}

function list(r: Random, schema: JsonObject, wrong: number): Json {
  const { items, minItems = 0, maxItems = 9 } = schema;
  const drawn = r.pick([0, 1, 2, 2, 3]);
  const length = r.chance(wrong) ? drawn : Math.min(Math.max(drawn, Number(minItems)), Number(maxItems));
  const values = Array.from({ length }, () => (isObject(items) ? randomFitting(r, items, wrong) : null));
  if (r.chance(wrong)) return values;
  if (schema['x-kubernetes-list-type'] === 'set') return values.filter((v, i) => values.indexOf(v) === i);
  const [key] = (schema['x-kubernetes-list-map-keys'] ?? []) as string[];
  return key === undefined ? values : values.map((value, i) => (isObject(value) ? { ...value, [key]: `n${i}` } : value));
}

function members(r: Random, schema: JsonObject, wrong: number): Json {
  const { properties, additionalProperties, required, maxProperties = 9 } = schema;
  if (isObject(additionalProperties)) {
    const keys = (r.chance(70) ? ['a', 'ab', 'abc'] : ['x.y/z', 'é', 'a']).slice(0, Math.min(r.below(4), Number(maxProperties)));
    return Object.fromEntries(keys.map(key => [key, randomFitting(r, additionalProperties, wrong)]));
  }
  if (!isObject(properties)) return structuredClone(r.pick<Json>([{}, { a: { b: [1, null] } }, { z: 1, a: 'x' }]));
  const must = Array.isArray(required) ? required : [];
  const chosen = Object.entries(properties).filter(([key]) => (must.includes(key) && !r.chance(wrong)) || r.chance(65));
  const value = Object.fromEntries(chosen.map(([key, schemaOf]) => [key, randomFitting(r, schemaOf as JsonObject, wrong)]));
  return r.chance(6 + wrong) ? { ...value, [r.pick(['unknown', 'A', 'é', 'metadata'])]: structuredClone(r.pick(bad)) } : value;
}
