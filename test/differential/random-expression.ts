import { type Form, forms, type Kind, leaves } from './expression-signatures.js';
import type { Random } from './random.js';

/** A variable of a macro. */
interface Variable {
  readonly name: string;
  readonly kind: Kind;
}

/** Variables and paths of expressions. */
export interface Vocabulary {
  readonly kinds: readonly Kind[];
  readonly leaves: Readonly<Record<Kind, readonly string[]>>;
  readonly forms: ReadonlyMap<Kind, readonly Form[]>;
  readonly ranges: readonly Range[];
  /** Percentage of nodes that are comprehensions, and percentage of these with one variable. */
  readonly loops: number;
  readonly simpleLoops: number;
}

/** Ranges of macros, and the types of the one variable, or of the two. */
export interface Range {
  readonly kind: Kind;
  readonly one: LoopVariable;
  readonly two: readonly [LoopVariable, LoopVariable];
}

/** The type of a loop variable, and of its parts by path. */
export interface LoopVariable {
  readonly kind: Kind;
  readonly parts?: readonly (readonly [path: string, kind: Kind])[];
}

interface Making {
  readonly random: Random;
  readonly vocabulary: Vocabulary;
  readonly scope: readonly Variable[];
  /** Per mille of nodes with an unsuitable type. */
  readonly wrong: number;
}

/** Vocabulary of leaves: the templates whose parts can be generated. */
export function vocabularyOf(words: Vocabulary['leaves'], over: readonly Range[], { loops = 18, simpleLoops = 70 } = {}): Vocabulary {
  const kinds = [...new Set([...Object.keys(words), ...forms.map(form => form.result)])];
  const fitting = forms.filter(form => form.parts.every(part => kinds.includes(part)));
  return {
    kinds: kinds.filter(kind => words[kind] !== undefined),
    leaves: words,
    forms: new Map(kinds.map(kind => [kind, fitting.filter(form => form.result === kind)])),
    ranges: over,
    loops,
    simpleLoops,
  };
}

/** A random expression of a type; most are valid, some have type errors, a few are not expressions. */
export function randomExpression(random: Random, kind?: Kind, vocabulary: Vocabulary = ofConditions): string {
  const wanted = kind ?? random.pick(vocabulary.kinds);
  const wrong = random.pick([0, 0, 0, 10, 40]);
  const text = expressionOf({ random, vocabulary, scope: [], wrong }, wanted, 1 + random.below(5));
  return random.chance(3) ? damaged(random, text) : text;
}

/** A random expression that is true, false or an error. */
export function randomCondition(random: Random): string {
  return randomExpression(random, 'bool');
}

function expressionOf(making: Making, wanted: Kind, depth: number): string {
  const { random, vocabulary, wrong } = making;
  const kind = random.below(1000) < wrong ? random.pick(vocabulary.kinds) : wanted;
  if (depth <= 0 || random.chance(12)) return leafOf(making, kind);
  if (random.chance(vocabulary.loops)) return macroOf(making, kind, depth) ?? leafOf(making, kind);
  const choices = vocabulary.forms.get(kind) ?? [];
  if (choices.length === 0) return leafOf(making, kind);
  const form = random.pick(choices);
  return form.text.replace(/\$(\d)/g, (_, i: string) => expressionOf(making, form.parts[Number(i)] ?? 'int', depth - 1));
}

function leafOf({ random, vocabulary: { leaves }, scope }: Making, kind: Kind): string {
  const fitting = scope.filter(variable => variable.kind === kind || variable.kind === 'dyn');
  if (fitting.length > 0 && random.chance(60)) return random.pick(fitting).name;
  return random.pick(leaves[kind] ?? leaves['dyn'] ?? ['null']);
}

function macroOf(making: Making, kind: Kind, depth: number): string | undefined {
  const { random, vocabulary } = making;
  const { ranges, simpleLoops } = vocabulary;
  const range = random.pick(ranges);
  const source = expressionOf(making, range.kind, depth - 1);
  const [x, y] = random.pick([
    ['x', 'y'],
    ['k', 'v'],
    ['i', 'e'],
  ] as const);
  const one = (part: Kind) => expressionOf(within(making, [x, range.one]), part, depth - 1);
  const two = (part: Kind) => expressionOf(within(making, [x, range.two[0]], [y, range.two[1]]), part, depth - 1);
  switch (kind) {
    case 'bool': {
      const name = random.pick(['all', 'exists', 'exists_one', 'existsOne']);
      return random.chance(simpleLoops) ? `${source}.${name}(${x}, ${one('bool')})` : `${source}.${name}(${x}, ${y}, ${two('bool')})`;
    }
    case 'list:int':
    case 'list:string': {
      const element = kind.slice('list:'.length);
      return random.pick([
        () => `${source}.map(${x}, ${one(element)})`,
        () => `${source}.map(${x}, ${one('bool')}, ${one(element)})`,
        () =>
          `${expressionOf(making, kind, depth - 1)}.filter(${x}, ${expressionOf(within(making, [x, { kind: element }]), 'bool', depth - 1)})`,
        () => `${source}.transformList(${x}, ${y}, ${two(element)})`,
        () => `${source}.transformList(${x}, ${y}, ${two('bool')}, ${two(element)})`,
        () =>
          `${expressionOf(making, kind, depth - 1)}.sortBy(${x}, ${expressionOf(within(making, [x, { kind: element }]), random.pick(['int', 'string']), depth - 1)})`,
      ])();
    }
    case 'map:int':
      return random.pick([
        () => `${source}.transformMap(${x}, ${y}, ${two('int')})`,
        () => `${source}.transformMap(${x}, ${y}, ${two('bool')}, ${two('int')})`,
        () => `${source}.transformMapEntry(${x}, ${y}, {${two('string')}: ${two('int')}})`,
      ])();
    case 'optional:int': {
      const inner = expressionOf(within(making, [x, { kind: 'int' }]), random.pick(['int', 'optional:int']), depth - 1);
      return `${expressionOf(making, 'optional:int', depth - 1)}.${random.pick(['optMap', 'optFlatMap'])}(${x}, ${inner})`;
    }
    default:
      return undefined;
  }
}

function within(making: Making, ...variables: readonly (readonly [name: string, variable: LoopVariable])[]): Making {
  const names = new Set(variables.map(([name]) => name));
  const known = variables.flatMap(([name, { kind, parts = [] }]) => [
    { name, kind },
    ...parts.map(([path, partKind]) => ({ name: `${name}${path}`, kind: partKind })),
  ]);
  return { ...making, scope: [...making.scope.filter(({ name }) => !names.has(/^\w+/.exec(name)?.[0] ?? '')), ...known] };
}

const ofConditions = vocabularyOf(leaves, [
  range('list:int', 'int', ['int', 'int']),
  range('list:string', 'string', ['int', 'string']),
  range('list:dyn', 'dyn', ['int', 'dyn']),
  range('map:int', 'string', ['string', 'int']),
  range('map:string', 'string', ['string', 'string']),
]);

/** A range whose variables have no known parts. */
export function range(kind: Kind, one: Kind, [first, second]: readonly [Kind, Kind]): Range {
  return { kind, one: { kind: one }, two: [{ kind: first }, { kind: second }] };
}

const debris = [
  '',
  ' ',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  '?',
  ':',
  '!',
  '-',
  '+',
  '&&',
  '||',
  '==',
  "'",
  '"',
  '1',
  'x',
  'in',
  '$',
  '\\',
  '#',
  '@',
  '\n',
];

/** One character removed or inserted. */
function damaged(random: Random, text: string): string {
  const characters = Array.from(text);
  const at = random.below(characters.length + 1);
  return [...characters.slice(0, at), random.pick(debris), ...characters.slice(at + random.below(2))].join('');
}
