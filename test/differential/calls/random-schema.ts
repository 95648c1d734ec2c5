import type { Random } from '../random.js';
import { bad } from './bad-values.js';
import { randomFitting } from './random-values.js';
import type { JsonObject } from './scene.js';

const names = ['a', 'b', 'count', 'mode', 'ratio', 'when', 'ref', 'flag', 'x-y', 'Upper', 'kind', 'items'];
const patterns = ['^[a-z]+$', '^v\\d+$', '[0-9]{2,3}', '^(a|b)?$', '^\\S+@\\S+$', '^[\\w.-]{1,8}$'];
const formats = [
  ...['date', 'date-time', 'duration', 'email', 'uuid', 'ipv4', 'ipv6', 'cidr', 'uri', 'hostname', 'byte', 'password', 'mac', 'isbn'],
  ...['hexcolor', 'rgbcolor', 'creditcard', 'ssn', 'unheard-of', 'k8s-short-name', 'k8s-long-name', 'uuid4', 'int32'],
];

const rules: Readonly<Record<string, readonly string[]>> = {
  string: [
    ...['self.size() < 5', "self.startsWith('a')", "self.matches('^[a-z]+$')", "self != 'bad'", 'isURL(self)', 'self.lowerAscii() == self'],
    ...[
      'self == oldSelf',
      "oldSelf == '' || self.startsWith(oldSelf)",
      '!format.dns1123Label().validate(self).hasValue()',
      'int(self) > 3',
    ],
    ...[
      "quantity(self).isGreaterThan(quantity('1'))",
      "duration(self) < duration('1h')",
      'isIP(self) && ip(self).family() == 4',
      "self.charAt(0) == 'a'",
    ],
    ...[
      "self in ['a', 'b', 'v1']",
      "self.substring(1) == ''",
      "timestamp(self) > timestamp('2020-01-01T00:00:00Z')",
      'semver(self).major() == 1',
    ],
  ],
  integer: [
    ...['self % 2 == 0', 'self > 0', 'self >= oldSelf', 'self / (self - 5) < 3', 'self * 9223372036854775807 > 0', 'double(self) < 3.5'],
    ...[
      'self in [1, 2, 3]',
      'self == oldSelf + 1',
      'string(self).size() == 1',
      'self != 5 || oldSelf != 5',
      'math.greatest(self, 3) == self',
    ],
  ],
  number: ['self < 1.5', 'self == double(int(self))', 'self >= oldSelf', 'self / 0.0 > 1.0', 'self > 1', 'self in [1.0, 0.5]'],
  boolean: ['self', '!self || oldSelf', 'self == oldSelf'],
  array: [
    ...[
      'self.size() < 3',
      'self.all(x, x == self[0])',
      'self.exists_one(x, x == self[0])',
      'self.isSorted()',
      'self == oldSelf',
      'self[5] == self[0]',
    ],
    ...['self.all(x, x in oldSelf)', 'self.map(x, x) == self', 'self.indexOf(self[0]) == 0', 'self.distinct().size() == self.size()'],
  ],
  map: [
    "self.all(k, k.startsWith('a'))",
    "'a' in self",
    'size(self) < 2',
    "self.exists(k, self[k] == self['a'])",
    'self == oldSelf',
    'self.a == self.b',
  ],
  object: [
    ...[
      'has(self.X)',
      '!has(self.X) || has(self.Y)',
      'self.X == self.Y',
      'self.X < self.Y',
      'self == oldSelf',
      'has(self.X) == has(oldSelf.X)',
    ],
    ...['self.?X.hasValue()', 'self.?X.orValue(self.Y) == self.Y', 'dyn(self.X) == dyn(self.Y)'],
  ],
};

type Maker = (r: Random, depth: number) => JsonObject;

/** Returns a random structural schema of an object; the API server may still refuse it. */
export function randomSchema(r: Random, depth = 0): JsonObject {
  return annotated(r, object(r, depth), { depth, kind: 'object', isRoot: true });
}

function any(r: Random, depth: number): JsonObject {
  const scalars = ['string', 'string', 'string', 'integer', 'integer', 'number', 'boolean', 'intOrString', 'unknown'] as const;
  const kind = depth < 3 ? r.pick([...scalars, 'object', 'object', 'array', 'array', 'map', 'embedded'] as const) : r.pick(scalars);
  return annotated(r, makers[kind](r, depth), { depth, kind, isRoot: false });
}

const makers = {
  string: r => ({
    type: 'string',
    ...r.pick<() => JsonObject>([
      () => ({}),
      () => ({}),
      () => ({ pattern: r.pick(patterns) }),
      () => ({ format: r.pick(formats) }),
      () => ({ enum: ['a', 'b', 'c', '', 'A', 'true', '1', 'é'].filter(() => r.chance(40)) }),
    ])(),
    ...(r.chance(30) ? { minLength: r.below(4) } : {}),
    ...(r.chance(70) ? { maxLength: r.pick([3, 5, 16, 63]) } : {}),
  }),
  integer: r => ({ type: 'integer', ...(r.chance(25) ? { format: r.pick(['int32', 'int64']) } : {}), ...bounds(r, [0, 1, -5]) }),
  number: r => ({ type: 'number', ...(r.chance(25) ? { format: r.pick(['float', 'double']) } : {}), ...bounds(r, [0, 0.5, 1e-3]) }),
  boolean: () => ({ type: 'boolean' }),
  intOrString: r => ({
    'x-kubernetes-int-or-string': true,
    ...(r.chance(40) ? { anyOf: [{ type: 'integer' }, { type: 'string' }] } : {}),
    ...(r.chance(30) ? { maxLength: 5 } : {}),
  }),
  unknown: r => ({ 'x-kubernetes-preserve-unknown-fields': true, ...(r.chance(50) ? { type: 'object' } : {}) }),
  embedded: () => ({ type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }),
  object,
  map: (r, depth) => ({
    type: 'object',
    additionalProperties: any(r, depth + 1),
    ...(r.chance(70) ? { maxProperties: r.pick([1, 2, 4]) } : {}),
  }),
  array,
} satisfies Record<string, Maker>;

function bounds(r: Random, minima: readonly number[]): JsonObject {
  return {
    ...(r.chance(40) ? { minimum: r.pick(minima), ...(r.chance(30) ? { exclusiveMinimum: true } : {}) } : {}),
    ...(r.chance(40) ? { maximum: r.pick([3, 10, 100]), ...(r.chance(30) ? { exclusiveMaximum: true } : {}) } : {}),
    ...(r.chance(12) ? { multipleOf: r.pick([2, 3, 0.5]) } : {}),
  };
}

function object(r: Random, depth: number): JsonObject {
  const chosen = names.filter(() => r.chance(depth === 0 ? 40 : 20));
  const [first = 'a', second = first] = chosen;
  const properties = Object.fromEntries([first, ...chosen].map(name => [name, any(r, depth + 1)]));
  return {
    type: 'object',
    properties,
    ...(r.chance(40) ? { required: r.pick([[first], [...new Set([first, second])]]) } : {}),
    ...(r.chance(10) ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    ...(r.chance(10) ? { 'x-kubernetes-map-type': r.pick(['atomic', 'granular']) } : {}),
    ...(r.chance(8) ? { minProperties: r.pick([1, 2]) } : {}),
    ...(r.chance(12) ? { [r.pick(['oneOf', 'anyOf', 'allOf'])]: [{ required: [first] }, { required: [second] }] } : {}),
    ...(r.chance(5) ? { not: { required: [first] } } : {}),
  };
}

function array(r: Random, depth: number): JsonObject {
  const limits = { ...(r.chance(80) ? { maxItems: r.pick([2, 3, 5]) } : {}), ...(r.chance(15) ? { minItems: 1 } : {}) };
  if (r.chance(30)) {
    const key = r.pick(['name', 'k']);
    const proto = { type: 'string', maxLength: 5, default: 'TCP' };
    const items = {
      type: 'object',
      properties: { [key]: { type: 'string', maxLength: 10 }, proto, v: any(r, depth + 2) },
      required: [key],
    };
    const keys = r.chance(50) ? [key, 'proto'] : [key];
    return { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys, ...limits };
  }
  const items = any(r, depth + 1);
  const isScalar = ['string', 'integer'].includes(String(items['type'])) && items['nullable'] === undefined;
  const listType = isScalar && r.chance(40) ? 'set' : r.chance(15) ? 'atomic' : undefined;
  return { type: 'array', items, ...(listType === undefined ? {} : { 'x-kubernetes-list-type': listType }), ...limits };
}

interface At {
  readonly depth: number;
  readonly kind: string;
  readonly isRoot: boolean;
}

function annotated(r: Random, schema: JsonObject, { depth, kind, isRoot }: At): JsonObject {
  const choices = rules[kind] ?? [];
  const isPlain = !isRoot && kind !== 'embedded' && kind !== 'unknown';
  const ruled = choices.length > 0 && r.chance(depth > 0 ? 25 : 45);
  return {
    ...schema,
    ...(isPlain && r.chance(10) ? { nullable: true } : {}),
    ...(isPlain && r.chance(22) ? { default: r.chance(90) ? randomFitting(r, schema) : r.pick(bad) } : {}),
    ...(ruled ? { 'x-kubernetes-validations': Array.from({ length: 1 + r.below(2) }, () => rule(r, r.pick(choices), schema)) } : {}),
  };
}

function rule(r: Random, text: string, { properties }: JsonObject): JsonObject {
  const of = Object.keys((properties ?? { a: 1 }) as JsonObject).map(name => name.replace('-', '__dash__'));
  const written = text.replaceAll('X', r.pick(of)).replaceAll('Y', r.pick(of));
  const isOptional = written.includes('oldSelf') && r.chance(10);
  return {
    rule: isOptional ? written.replaceAll('oldSelf', 'oldSelf.orValue(self)') : written,
    ...(isOptional ? { optionalOldSelf: true } : {}),
    ...(r.chance(30) ? { message: r.pick(['no', 'must hold: <x> & "y"', 'é']) } : {}),
    ...(r.chance(20) ? { messageExpression: r.pick(["'bad: ' + string(self)", "'x' + 'y'", 'self', 'string(1/0)', "'a\\nb'", "''"]) } : {}),
    ...(r.chance(15) ? { reason: r.pick(['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate']) } : {}),
  };
}
