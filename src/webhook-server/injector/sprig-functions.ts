import { createHash } from 'node:crypto';
import { Base64Error, decodeGoBase64 } from '../../go/base64.js';
import { quote } from '../../go/quote.js';
import { decodeUtf8Bytes } from '../../go/utf8.js';
import { trimSpace } from '../../go/white-space.js';
import { type GoFunction, goFunction } from '../../go-template/functions.js';
import { printValue } from '../../go-template/print.js';
import {
  goList,
  goMap,
  isGoList,
  isGoMap,
  isGoStruct,
  sortedKeys,
  type TemplateMap,
  type TemplateValue,
  templateTypeOf,
  truth,
  withoutType,
} from '../../go-template/values.js';
import { numberFunctions } from './sprig-numbers.js';

/** List functions of sprig. Source: Masterminds/sprig list.go. */
const listFunctions: readonly (readonly [string, GoFunction])[] = [
  ['list', goFunction(['any', '...'], (...values) => goList(values))],
  ['tuple', goFunction(['any', '...'], (...values) => goList(values))],
  ['first', goFunction(['any'], list => itemsOf(list, 'find first').at(0) ?? null)],
  ['last', goFunction(['any'], list => itemsOf(list, 'find last').at(-1) ?? null)],
  ['rest', goFunction(['any'], list => goList(itemsOf(list, 'find rest').slice(1)))],
  ['append', goFunction(['any', 'any'], (list, value) => goList([...itemsOf(list, 'push'), value]))],
  ['prepend', goFunction(['any', 'any'], (list, value) => goList([value, ...itemsOf(list, 'prepend')]))],
  ['has', goFunction(['any', 'any'], (needle, list) => !isNil(list) && itemsOf(list, 'find has').some(item => isEqual(item, needle)))],
  ['until', goFunction(['int'], count => countedTo(Number(count)))],
];

function isNil(value: TemplateValue): value is undefined | null {
  return value === undefined || value === null;
}

function itemsOf(list: TemplateValue, what: string): readonly TemplateValue[] {
  if (isGoList(list)) return list.items;
  if (isNil(list)) throw new Error('runtime error: invalid memory address or nil pointer dereference');
  throw new Error(`Cannot ${what} on type ${kindOf(list)}`);
}

/** Source: reflect.Type.Kind. */
function kindOf(value: TemplateValue): string {
  if (isGoMap(value)) return 'map';
  return isGoStruct(value) ? 'struct' : templateTypeOf(value);
}

/** Compares values and their types. Source: reflect.DeepEqual. */
function isEqual(a: TemplateValue, b: TemplateValue): boolean {
  if (templateTypeOf(a) !== templateTypeOf(b) && !isNil(a) && !isNil(b)) return false;
  const [left, right] = [withoutType(a), withoutType(b)];
  if (isNil(left) || isNil(right)) return isNil(left) && isNil(right);
  if (isGoList(left) && isGoList(right)) {
    const { items } = right;
    return left.element === right.element && left.items.length === items.length && left.items.every((item, i) => isEqual(item, items[i]));
  }
  if (isGoMap(left) && isGoMap(right)) {
    const { entries } = right;
    const isSame = ([key, value]: [string, TemplateValue]): boolean => entries.has(key) && isEqual(value, entries.get(key));
    return left.element === right.element && left.entries.size === entries.size && [...left.entries].every(isSame);
  }
  return left === right;
}

/** Returns the integers from 0 to a limit, without it. Source: sprig numeric.go until. */
function countedTo(limit: number): TemplateValue {
  const step = limit < 0 ? -1 : 1;
  return goList(
    Array.from({ length: Math.abs(limit) }, (_, i) => BigInt(i * step)),
    'int',
  );
}

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
  ['trim', goFunction(['string'], value => trimSpace(text(value)))],
  ['trimAll', goFunction(['string', 'string'], (cut, value) => trimmedOf(text(value), text(cut)))],
  ['trimSuffix', goFunction(['string', 'string'], (suffix, value) => withoutSuffix(text(value), text(suffix)))],
  [
    'trimPrefix',
    goFunction(['string', 'string'], (prefix, value) =>
      text(value).startsWith(text(prefix)) ? text(value).slice(text(prefix).length) : value,
    ),
  ],
  ['upper', goFunction(['string'], value => mapped(text(value), character => character.toUpperCase()))],
  ['lower', goFunction(['string'], value => mapped(text(value), character => character.toLowerCase()))],
  ['replace', goFunction(['string', 'string', 'string'], (old, by, value) => replaced(text(value), text(old), text(by)))],
  ['repeat', goFunction(['int', 'string'], (count, value) => repeated(text(value), Number(count)))],
  ['nospace', goFunction(['string'], value => withoutSpace(text(value)))],
  ['hasPrefix', goFunction(['string', 'string'], (prefix, value) => text(value).startsWith(text(prefix)))],
  ['hasSuffix', goFunction(['string', 'string'], (suffix, value) => text(value).endsWith(text(suffix)))],
  ['split', goFunction(['string', 'string'], (separator, value) => numbered(parts(text(value), text(separator))))],
  ['splitList', goFunction(['string', 'string'], (separator, value) => goList(parts(text(value), text(separator)), 'string'))],
  ['join', goFunction(['string', 'any'], (separator, values) => textsOf(values).join(text(separator)))],
  ['trunc', goFunction(['int', 'string'], (count, value) => truncated(Number(count), text(value)))],
  ['cat', goFunction(['any', '...'], (...values) => present(values).map(printValue).join(' '))],
  ['toString', goFunction(['any'], asText)],
  ['nindent', goFunction(['int', 'string'], (count, value) => `\n${indented(Number(count), text(value))}`)],
  ['b64enc', goFunction(['string'], value => Buffer.from(text(value)).toString('base64'))],
  ['b64dec', goFunction(['string'], value => decoded(text(value)))],
  ['sha256sum', goFunction(['string'], value => createHash('sha256').update(text(value)).digest('hex'))],
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
  ...numberFunctions,
  ...listFunctions,
]);

function refuse(message: string): never {
  throw new Error(message);
}

function text(value: TemplateValue): string {
  return typeof value === 'string' ? value : '';
}

/** Source: sprig defaults.go empty. */
function isEmpty(value: TemplateValue): boolean {
  return isGoStruct(value) ? false : !truth(value);
}

function present(values: readonly TemplateValue[]): TemplateValue[] {
  return values.filter(value => value !== undefined && value !== null);
}

/** Source: sprig strings.go strval. */
function asText(value: TemplateValue): string {
  return printValue(value);
}

/** Longest text that JavaScript can hold. */
const maxLength = 2 ** 29 - 24;

/** Source: strings.Repeat. */
function repeated(value: string, count: number): string {
  if (count < 0) return refuse('strings: negative Repeat count');
  return value.length * count > maxLength ? refuse('strings: Repeat output length overflow') : value.repeat(count);
}

/** Maps characters to one character each, as Go does: `ß` has no upper case. */
function mapped(value: string, map: (character: string) => string): string {
  return [...value].map(character => ([...map(character)].length === 1 ? map(character) : character)).join('');
}

/** Source: strings.Replace. */
function replaced(value: string, old: string, by: string): string {
  return old === '' ? by + [...value].map(character => character + by).join('') : value.split(old).join(by);
}

/** Source: strings.Split. */
function parts(value: string, separator: string): string[] {
  return separator === '' ? [...value] : value.split(separator);
}

/** Go reads the bytes of the text as characters. Source: Masterminds/goutils DeleteWhiteSpace. */
function withoutSpace(value: string): string {
  const bytes = Buffer.from(value).toString('latin1');
  const kept = [...bytes].filter(byte => trimSpace(byte) !== '').join('');
  return kept.length === bytes.length ? value : kept;
}

function decoded(value: string): string {
  try {
    return decodeUtf8Bytes(decodeGoBase64(value));
  } catch (error) {
    if (error instanceof Base64Error) return error.message;
    throw error;
  }
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
  if (count < 0 && bytes.length + count > 0) return decodeUtf8Bytes(bytes.subarray(bytes.length + count));
  return count >= 0 && bytes.length > count ? decodeUtf8Bytes(bytes.subarray(0, count)) : value;
}

function numbered(texts: readonly string[]): TemplateMap {
  return goMap(new Map(texts.map((part, i) => [`_${i}`, part])), 'string');
}

/** Source: sprig strings.go strslice. */
function textsOf(values: TemplateValue): string[] {
  if (isGoList(values)) return present(values.items).map(asText);
  return values === undefined || values === null ? [] : [asText(values)];
}

function indented(count: number, value: string): string {
  const blanks = repeated(' ', count);
  return blanks + value.replaceAll('\n', `\n${blanks}`);
}

function dictOf(values: readonly TemplateValue[]): TemplateMap {
  const entries = new Map<string, TemplateValue>();
  for (let i = 0; i < values.length; i += 2) entries.set(asText(values[i]), i + 1 < values.length ? values[i + 1] : '');
  return goMap(entries);
}

function entriesOf(map: TemplateValue): ReadonlyMap<string, TemplateValue> {
  return isGoMap(map) ? map.entries : new Map();
}
