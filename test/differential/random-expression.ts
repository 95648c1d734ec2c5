import { type Form, forms, type Kind, leaves } from './expression-signatures.js';
import type { Random } from './random.js';

/** A variable of a macro. */
interface Variable {
  readonly name: string;
  readonly kind: Kind;
}

interface Making {
  readonly random: Random;
  readonly scope: readonly Variable[];
  /** Of 1000 parts, so many are of a kind that does not fit. */
  readonly wrong: number;
}

const kinds = [...new Set([...Object.keys(leaves), ...forms.map(form => form.result)])].filter(kind => leaves[kind] !== undefined);
const byResult = new Map<Kind, readonly Form[]>(kinds.map(kind => [kind, forms.filter(form => form.result === kind)]));

/** A random expression of a kind; most of them mean something, some do not fit, a few are no expressions at all. */
export function randomExpression(random: Random, kind: Kind = random.pick(kinds)): string {
  const wrong = random.pick([0, 0, 0, 10, 40]);
  const text = expressionOf({ random, scope: [], wrong }, kind, 1 + random.below(5));
  return random.chance(3) ? damaged(random, text) : text;
}

/** A random expression that is true, false or an error. */
export function randomCondition(random: Random): string {
  return randomExpression(random, 'bool');
}

function expressionOf(making: Making, wanted: Kind, depth: number): string {
  const { random, wrong } = making;
  const kind = random.below(1000) < wrong ? random.pick(kinds) : wanted;
  if (depth <= 0 || random.chance(12)) return leafOf(making, kind);
  if (random.chance(18)) return macroOf(making, kind, depth) ?? leafOf(making, kind);
  const choices = byResult.get(kind) ?? [];
  if (choices.length === 0) return leafOf(making, kind);
  const form = random.pick(choices);
  return form.text.replace(/\$(\d)/g, (_, i: string) => expressionOf(making, form.parts[Number(i)] ?? 'int', depth - 1));
}

function leafOf({ random, scope }: Making, kind: Kind): string {
  const fitting = scope.filter(variable => variable.kind === kind || variable.kind === 'dyn');
  if (fitting.length > 0 && random.chance(60)) return random.pick(fitting).name;
  return random.pick(leaves[kind] ?? leaves['dyn'] ?? ['null']);
}

/** A range and the kinds of its one variable, or of its two. */
const ranges: readonly { readonly kind: Kind; readonly one: Kind; readonly two: readonly [Kind, Kind] }[] = [
  { kind: 'list:int', one: 'int', two: ['int', 'int'] },
  { kind: 'list:string', one: 'string', two: ['int', 'string'] },
  { kind: 'list:dyn', one: 'dyn', two: ['int', 'dyn'] },
  { kind: 'map:int', one: 'string', two: ['string', 'int'] },
  { kind: 'map:string', one: 'string', two: ['string', 'string'] },
];

function macroOf(making: Making, kind: Kind, depth: number): string | undefined {
  const { random } = making;
  const range = random.pick(ranges);
  const source = expressionOf(making, range.kind, depth - 1);
  const [x, y] = random.pick([
    ['x', 'y'],
    ['k', 'v'],
    ['i', 'e'],
  ] as const);
  const one = (part: Kind) => expressionOf(within(making, { name: x, kind: range.one }), part, depth - 1);
  const two = (part: Kind) =>
    expressionOf(within(making, { name: x, kind: range.two[0] }, { name: y, kind: range.two[1] }), part, depth - 1);
  switch (kind) {
    case 'bool': {
      const name = random.pick(['all', 'exists', 'exists_one', 'existsOne']);
      return random.chance(70) ? `${source}.${name}(${x}, ${one('bool')})` : `${source}.${name}(${x}, ${y}, ${two('bool')})`;
    }
    case 'list:int':
    case 'list:string': {
      const element = kind.slice('list:'.length);
      return random.pick([
        () => `${source}.map(${x}, ${one(element)})`,
        () => `${source}.map(${x}, ${one('bool')}, ${one(element)})`,
        () =>
          `${expressionOf(making, kind, depth - 1)}.filter(${x}, ${expressionOf(within(making, { name: x, kind: element }), 'bool', depth - 1)})`,
        () => `${source}.transformList(${x}, ${y}, ${two(element)})`,
        () => `${source}.transformList(${x}, ${y}, ${two('bool')}, ${two(element)})`,
        () =>
          `${expressionOf(making, kind, depth - 1)}.sortBy(${x}, ${expressionOf(within(making, { name: x, kind: element }), random.pick(['int', 'string']), depth - 1)})`,
      ])();
    }
    case 'map:int':
      return random.pick([
        () => `${source}.transformMap(${x}, ${y}, ${two('int')})`,
        () => `${source}.transformMap(${x}, ${y}, ${two('bool')}, ${two('int')})`,
        () => `${source}.transformMapEntry(${x}, ${y}, {${two('string')}: ${two('int')}})`,
      ])();
    case 'optional:int': {
      const inner = expressionOf(within(making, { name: x, kind: 'int' }), random.pick(['int', 'optional:int']), depth - 1);
      return `${expressionOf(making, 'optional:int', depth - 1)}.${random.pick(['optMap', 'optFlatMap'])}(${x}, ${inner})`;
    }
    default:
      return undefined;
  }
}

function within(making: Making, ...variables: readonly Variable[]): Making {
  const names = new Set(variables.map(variable => variable.name));
  return { ...making, scope: [...making.scope.filter(variable => !names.has(variable.name)), ...variables] };
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

/** One character gone, or something put in. */
function damaged(random: Random, text: string): string {
  const characters = Array.from(text);
  const at = random.below(characters.length + 1);
  return [...characters.slice(0, at), random.pick(debris), ...characters.slice(at + random.below(2))].join('');
}
