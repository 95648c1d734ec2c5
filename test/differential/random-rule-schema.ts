import { structural } from '../../src/apiserver/objects/structural-schema.js';
import type { Environment } from '../../src/cel/environment/environment.js';
import { ruleEnvironments } from '../../src/cel/environment/rule.js';
import { compileExpression } from '../../src/cel/program/compile.js';
import { declaredTypeOf } from '../../src/cel/schema/declared-type.js';
import { GoPanic } from '../../src/cel/values/go-panic.js';
import { BOOL, STRING, sameType, type Type } from '../../src/cel/values/type.js';
import { server } from '../support/server.js';
import { type Kind, leaves } from './expression-signatures.js';
import type { Random } from './random.js';
import { type LoopVariable, type Range, randomExpression, range, type Vocabulary, vocabularyOf } from './random-expression.js';
import { objectOf } from './real-server.js';

type Schema = Readonly<Record<string, unknown>>;

/** A random schema, and the vocabulary of expressions about its values. */
interface Declared {
  readonly schema: Schema;
  readonly kind: Kind;
  /** Parts of a value, by path. */
  readonly parts: readonly Part[];
}

type Part = readonly [path: string, kind: Kind];

interface Making {
  readonly random: Random;
  /** Ranges of comprehensions in this definition; lists and maps of objects have types of their own. */
  readonly ranges: Range[];
}

/** A random schema with rules at its root, below it, or both. */
export function randomRuleSchema(random: Random): Schema {
  const making: Making = { random, ranges: [...plainRanges] };
  const declared = randomDeclared(making, 1 + random.below(5));
  return declared.schema['x-kubernetes-validations'] === undefined ? withRules(making, declared).schema : declared.schema;
}

const plainRanges: readonly Range[] = [
  range('list:int', 'int', ['int', 'int']),
  range('list:string', 'string', ['int', 'string']),
  range('list:dyn', 'dyn', ['int', 'dyn']),
  range('map:int', 'string', ['string', 'int']),
  range('map:string', 'string', ['string', 'string']),
];

function randomDeclared(making: Making, depth: number): Declared {
  const { random } = making;
  const choice = depth <= 0 ? 'scalar' : random.pick(['scalar', 'list', 'list', 'map', 'object', 'object'] as const);
  const declared = makers[choice](making, depth);
  return random.chance(12) ? withRules(making, declared) : declared;
}

const makers = { scalar: randomScalar, list: randomList, map: randomMap, object: randomObject };

const limits = [0, 1, 2, 5, 10, 63, 100, 253, 1000, 4096, 10_000, 100_000, 1_048_576, 3_145_726, 2 ** 31];

function limited(random: Random, name: string, percent = 55): Schema {
  return random.chance(percent) ? { [name]: random.pick(limits) } : {};
}

const words = ['', 'a', 'abc', 'éé', '10.0.0.1', 'a-much-longer-word-of-an-enumeration'];

function randomScalar({ random }: Making): Declared {
  const text = (more: Schema = {}): Schema => ({ type: 'string', ...limited(random, 'maxLength'), ...more });
  const scalar = (kind: Kind, schema: Schema): Declared => ({ schema, kind, parts: [] });
  return random.pick([
    () => scalar('string', text()),
    () => scalar('string', text()),
    () => scalar('string', { type: 'string', enum: words.slice(random.below(words.length)), ...limited(random, 'maxLength', 20) }),
    () => scalar('string', text({ format: random.pick(['uri', 'ipv4', 'uuid', 'password', 'int64', 'cidr']), minLength: 0 })),
    () => scalar('bytes', text({ format: 'byte' })),
    () => scalar('timestamp', text({ format: random.pick(['date', 'date-time']) })),
    () => scalar('duration', text({ format: 'duration' })),
    () => scalar('int', { type: 'integer', ...random.pick([{}, { format: 'int32' }, { maximum: 10 }]) }),
    () => scalar('double', { type: 'number' }),
    () => scalar('bool', { type: 'boolean' }),
    () => scalar('dyn', { 'x-kubernetes-int-or-string': true, ...limited(random, 'maxLength') }),
  ])();
}

function randomList(making: Making, depth: number): Declared {
  const { random } = making;
  const items = randomDeclared(making, depth - 1);
  const schema: Schema = { type: 'array', items: items.schema, ...limited(random, 'maxItems') };
  const isSet = !['object', 'array'].includes(String(items.schema['type'])) && random.chance(20);
  return {
    schema: isSet ? { ...schema, 'x-kubernetes-list-type': 'set' } : schema,
    kind: kindOver(making, `list:${items.kind}`, { one: items, two: ['int', items] }),
    parts: insideOf('[0]', items),
  };
}

function randomMap(making: Making, depth: number): Declared {
  const values = randomDeclared(making, depth - 1);
  return {
    schema: { type: 'object', additionalProperties: values.schema, ...limited(making.random, 'maxProperties') },
    kind: kindOver(making, `map:${values.kind}`, { one: 'string', two: ['string', values] }),
    parts: [...insideOf("['k']", values), ...(making.random.chance(30) ? insideOf('.k', values) : [])],
  };
}

interface Loops {
  readonly one: Kind | Declared;
  readonly two: readonly [Kind, Declared];
}

/** Lists and maps without a template get types of their own, so that comprehensions know the parts of their elements. */
function kindOver({ ranges }: Making, kind: Kind, { one, two: [first, second] }: Loops): Kind {
  if (leaves[kind] !== undefined) return kind;
  const own = `${kind}#${ranges.length}`;
  ranges.push({ kind: own, one: variable(one), two: [variable(first), variable(second)] });
  return own;
}

function variable(declared: Kind | Declared): LoopVariable {
  return typeof declared === 'string' ? { kind: declared } : { kind: declared.kind, parts: declared.parts };
}

function insideOf(path: string, { kind, parts }: Declared): readonly Part[] {
  return [[path, kind], ...parts.map(([below, partKind]): Part => [`${path}${below}`, partKind])];
}

const names = ['a', 'b', 'name', 'spec', 'a-b', 'in', 'namespace', '__x', 'x.y', 'größe'];
const escaped: Readonly<Record<string, string>> = { 'a-b': 'a__dash__b', in: '__in__', __x: '__underscores__x', 'x.y': 'x__dot__y' };

function randomObject(making: Making, depth: number): Declared {
  const { random } = making;
  const chosen = names.filter(() => random.chance(depth > 2 ? 20 : 35));
  const members = chosen.map(name => [name, randomDeclared(making, depth - 1)] as const);
  const parts = members.flatMap(([name, declared]) => (/[^\x20-\x7e]/.test(name) ? [] : insideOf(`.${escaped[name] ?? name}`, declared)));
  const required = chosen.filter(() => random.chance(30));
  const schema: Schema = { type: 'object', properties: Object.fromEntries(members.map(([name, { schema }]) => [name, schema])) };
  return {
    schema: {
      ...schema,
      ...(required.length > 0 ? { required } : {}),
      ...(random.chance(5) ? { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true } : {}),
    },
    kind: `object#${making.ranges.length}`,
    parts,
  };
}

function withRules(making: Making, declared: Declared): Declared {
  const { random } = making;
  const vocabulary = wordsFor(making, declared);
  const declaredType = declaredTypeOf(server, structural(objectOf(declared.schema)), false);
  const environment = declaredType && ruleEnvironments(server, declaredType).plain;
  const compiles = (expression: string, wanted: Type): boolean => environment !== undefined && comesTo(wanted, expression, environment);
  const rules = Array.from({ length: random.pick([1, 1, 1, 2, 3, 6]) }, () => randomRule(random, vocabulary, compiles));
  return { ...declared, schema: { ...declared.schema, 'x-kubernetes-validations': rules } };
}

function comesTo(wanted: Type, expression: string, environment: Environment): boolean {
  try {
    const compilation = compileExpression(expression, environment);
    return compilation.outcome === 'compiled' && sameType(compilation.program.type, wanted);
  } catch (error) {
    if (error instanceof GoPanic) return false;
    throw error;
  }
}

/** Literals as elsewhere, and frequently the parts of the value. */
function wordsFor({ random, ranges }: Making, { kind, parts }: Declared): Vocabulary {
  const words = new Map<Kind, string[]>();
  for (const [of, texts] of Object.entries(leaves)) {
    const literals = texts.filter(text => !/object|request|authorizer|Object/.test(text));
    const some = literals.filter(() => random.chance(25));
    if (literals.length > 0) words.set(of, some.length > 0 ? some : [random.pick(literals)]);
  }
  const add = (of: Kind, text: string): void => {
    words.set(of, [...(words.get(of) ?? []), ...Array.from({ length: 4 }, () => text)]);
  };
  const root = random.chance(85) ? 'self' : 'oldSelf';
  for (const [path, of] of [['', kind] as const, ...parts]) add(of, `${root}${path}`);
  for (const [path] of parts) if (/\.\w+$/.test(path)) add('bool', `has(${root}${path})`);
  // A comprehension over an unreachable type would have no range.
  return vocabularyOf(
    Object.fromEntries(words),
    ranges.filter(over => words.has(over.kind)),
    random.chance(50) ? { loops: 45, simpleLoops: 40 } : {},
  );
}

function randomRule(random: Random, vocabulary: Vocabulary, compiles: (expression: string, wanted: Type) => boolean): Schema {
  const expression = (kind: 'bool' | 'string'): string => {
    const tries = random.chance(92) ? 12 : 1;
    const wanted = kind === 'bool' ? BOOL : STRING;
    const made = Array.from({ length: tries }, () => randomExpression(random, kind, vocabulary));
    const fitting = made.filter(text => compiles(text, wanted));
    return fitting.find(text => /self|oldSelf/.test(text)) ?? fitting[0] ?? made[0] ?? '';
  };
  const rule = expression('bool');
  const message = random.pick([{}, {}, {}, { message: 'no' }, { messageExpression: expression('string') }]);
  const old = random.chance(4) ? { optionalOldSelf: true, rule: `oldSelf.hasValue() && ${rule}` } : { rule };
  return { ...old, ...message };
}
