import { createHash } from 'node:crypto';
import { quote } from '../../go/quote.js';
import { type GoFunction, goFunction } from '../../go-template/functions.js';
import { printValue } from '../../go-template/print.js';
import {
  type GoMap,
  type GoValue,
  goList,
  goMap,
  isGoList,
  isGoMap,
  isGoStruct,
  sortedKeys,
  truth,
  withoutByte,
} from '../../go-template/values.js';
import { listFunctions } from './sprig-lists.js';

/** Functions of sprig that ordinary templates use. Source: Masterminds/sprig functions.go. */
export const sprigFunctions: ReadonlyMap<string, GoFunction> = new Map<string, GoFunction>([
  ['default', goFunction(['any', 'any', '...'], (fallback, given) => (isEmpty(given) ? fallback : given))],
  ['empty', goFunction(['any'], isEmpty)],
  ['coalesce', goFunction(['any', '...'], (...values) => values.find(value => !isEmpty(value)))],
  ['ternary', goFunction(['any', 'any', 'bool'], (yes, no, condition) => (condition === true ? yes : no))],
  ['fail', goFunction(['string'], message => refuse(text(message)))],
  [
    'quote',
    goFunction(['any', '...'], (...values) =>
      present(values)
        .map(value => quote(asText(value)))
        .join(' '),
    ),
  ],
  [
    'squote',
    goFunction(['any', '...'], (...values) =>
      present(values)
        .map(value => `'${asText(value)}'`)
        .join(' '),
    ),
  ],
  ['trim', goFunction(['string'], value => text(value).replace(/^[\s\u0085]+|[\s\u0085]+$/g, ''))],
  ['trimAll', goFunction(['string', 'string'], (cut, value) => trimmedOf(text(value), text(cut)))],
  ['trimSuffix', goFunction(['string', 'string'], (suffix, value) => withoutSuffix(text(value), text(suffix)))],
  [
    'trimPrefix',
    goFunction(['string', 'string'], (prefix, value) =>
      text(value).startsWith(text(prefix)) ? text(value).slice(text(prefix).length) : value,
    ),
  ],
  ['upper', goFunction(['string'], value => text(value).toUpperCase())],
  ['lower', goFunction(['string'], value => text(value).toLowerCase())],
  ['replace', goFunction(['string', 'string', 'string'], (old, by, value) => text(value).split(text(old)).join(text(by)))],
  ['repeat', goFunction(['int', 'string'], (count, value) => text(value).repeat(Number(count)))],
  ['nospace', goFunction(['string'], value => text(value).replace(/\s/g, ''))],
  ['hasPrefix', goFunction(['string', 'string'], (prefix, value) => text(value).startsWith(text(prefix)))],
  ['hasSuffix', goFunction(['string', 'string'], (suffix, value) => text(value).endsWith(text(suffix)))],
  ['split', goFunction(['string', 'string'], (separator, value) => numbered(text(value).split(text(separator))))],
  ['splitList', goFunction(['string', 'string'], (separator, value) => goList(text(value).split(text(separator)), 'string'))],
  ['join', goFunction(['string', 'any'], (separator, values) => textsOf(values).join(text(separator)))],
  ['trunc', goFunction(['int', 'string'], (count, value) => truncated(Number(count), text(value)))],
  ['cat', goFunction(['any', '...'], (...values) => present(values).map(printValue).join(' '))],
  ['toString', goFunction(['any'], asText)],
  ['nindent', goFunction(['int', 'string'], (count, value) => `\n${indented(Number(count), text(value))}`)],
  ['b64enc', goFunction(['string'], value => Buffer.from(text(value)).toString('base64'))],
  ['b64dec', goFunction(['string'], value => Buffer.from(text(value), 'base64').toString())],
  ['sha256sum', goFunction(['string'], value => createHash('sha256').update(text(value)).digest('hex'))],
  ['int', goFunction(['any'], asInt)],
  ['int64', goFunction(['any'], asInt)],
  ['float64', goFunction(['any'], value => (typeof value === 'string' ? Number(value) || 0 : Number(asInt(value))))],
  ['add', goFunction(['any', '...'], (...values) => values.reduce<bigint>((sum, value) => BigInt.asIntN(64, sum + asInt(value)), 0n))],
  ['add1', goFunction(['any'], value => BigInt.asIntN(64, asInt(value) + 1n))],
  ['sub', goFunction(['any', 'any'], (a, b) => BigInt.asIntN(64, asInt(a) - asInt(b)))],
  [
    'mul',
    goFunction(['any', 'any', '...'], (...values) =>
      values.reduce<bigint>((product, value) => BigInt.asIntN(64, product * asInt(value)), 1n),
    ),
  ],
  ['div', goFunction(['any', 'any'], (a, b) => divided(asInt(a), asInt(b)))],
  ['dict', goFunction(['any', '...'], (...values) => dictOf(values))],
  ['hasKey', goFunction(['map', 'string'], (map, key) => entriesOf(map).has(text(key)))],
  ['get', goFunction(['map', 'string'], (map, key) => entriesOf(map).get(text(key)) ?? '')],
  [
    'keys',
    goFunction(['map', '...'], (...maps) =>
      goList(
        maps.flatMap(map => (isGoMap(map) ? sortedKeys(map) : [])),
        'string',
      ),
    ),
  ],
  ...listFunctions,
]);

function refuse(message: string): never {
  throw new Error(message);
}

function text(value: GoValue): string {
  return typeof value === 'string' ? value : '';
}

/** Source: sprig defaults.go empty. */
function isEmpty(value: GoValue): boolean {
  return isGoStruct(value) ? false : !truth(value);
}

function present(values: readonly GoValue[]): GoValue[] {
  return values.filter(value => value !== undefined && value !== null);
}

/** Source: sprig strings.go strval. */
function asText(value: GoValue): string {
  return printValue(value);
}

function trimmedOf(value: string, cut: string): string {
  const characters = new Set(cut);
  const all = [...value];
  let [from, to] = [0, all.length];
  while (from < to && characters.has(all[from] ?? '')) from += 1;
  while (to > from && characters.has(all[to - 1] ?? '')) to -= 1;
  return all.slice(from, to).join('');
}

function withoutSuffix(value: string, suffix: string): string {
  return suffix !== '' && value.endsWith(suffix) ? value.slice(0, -suffix.length) : value;
}

function truncated(count: number, value: string): string {
  const bytes = Buffer.from(value);
  if (count < 0 && bytes.length + count > 0) return bytes.subarray(bytes.length + count).toString();
  return count >= 0 && bytes.length > count ? bytes.subarray(0, count).toString() : value;
}

function numbered(parts: readonly string[]): GoMap {
  return goMap(new Map(parts.map((part, i) => [`_${i}`, part])), 'string');
}

/** Source: sprig strings.go strslice. */
function textsOf(values: GoValue): string[] {
  if (isGoList(values)) return present(values.items).map(asText);
  return values === undefined || values === null ? [] : [asText(values)];
}

function indented(count: number, value: string): string {
  const blanks = ' '.repeat(count);
  return blanks + value.replaceAll('\n', `\n${blanks}`);
}

/** Source: spf13/cast ToInt64. */
function asInt(given: GoValue): bigint {
  const value = withoutByte(given);
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return BigInt(Math.trunc(value));
  if (typeof value === 'boolean') return value ? 1n : 0n;
  const digits = typeof value === 'string' ? /^[+-]?\d+(?=(\.0*)?$)/.exec(value) : null;
  return digits === null ? 0n : BigInt(digits[0].replace('+', ''));
}

function divided(a: bigint, b: bigint): bigint {
  return b === 0n ? refuse('runtime error: integer divide by zero') : a / b;
}

function dictOf(values: readonly GoValue[]): GoMap {
  const entries = new Map<string, GoValue>();
  for (let i = 0; i < values.length; i += 2) entries.set(asText(values[i]), i + 1 < values.length ? values[i + 1] : '');
  return goMap(entries);
}

function entriesOf(map: GoValue): ReadonlyMap<string, GoValue> {
  return isGoMap(map) ? map.entries : new Map();
}
