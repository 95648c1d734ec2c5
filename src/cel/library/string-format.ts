import { formatFixed } from '../../go/exact-decimal.js';
import { compareKeys } from '../../go/key-order.js';
import { quote } from '../../go/quote.js';
import { toText } from '../values/convert.js';
import { itemsOf } from '../values/found.js';
import { findInMap, mapKeys } from '../values/maps.js';
import { typeOf } from '../values/type-of.js';
import { type CelList, type CelMap, type CelValue, celError } from '../values/value.js';
import { type Clause, type FormatFailure, parseFormat } from './format-parser.js';
import { localizedFixed, localizedScientific } from './localized-numbers.js';

/** `text.format(args)`. Source: cel-go ext/formatting.go, the implementation before version 4. */
export function formatText(text: string, args: readonly CelValue[]): CelValue {
  const format = (clause: Clause, index: number) => formatClause(clause, args[index] ?? '');
  const formatted = parseFormat(text, { count: args.length, checkedEarly: true, format });
  return typeof formatted === 'string' ? formatted : celError(formatted.error);
}

/** Error message for a value that does not suit a clause; the checker reports the same. */
export function unsuitable(letter: Clause['letter'], typeName: string): string {
  return `${unsuitableFor[letter]}, was given ${typeName}`;
}

const defaultPrecision = 6;
const hexOnly = 'only integers, byte buffers, and strings can be formatted as hex';
const unsuitableFor: Readonly<Record<Clause['letter'], string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: hexOnly,
  X: hexOnly,
  o: 'octal clause can only be used on integers',
};

function formatClause({ letter, precision = defaultPrecision }: Clause, value: CelValue): string | FormatFailure {
  switch (letter) {
    case 's':
      return asString(value);
    case 'd':
      return inBase(value, 10) ?? no(letter, value);
    case 'o':
      return inBase(value, 8) ?? no(letter, value);
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : (inBase(value, 2) ?? no(letter, value));
    case 'x':
    case 'X': {
      const hex = inHex(value);
      return hex === undefined ? no(letter, value) : letter === 'X' ? hex.toUpperCase() : hex;
    }
    default: {
      const number = asDouble(value);
      if (number === undefined) return no(letter, value);
      return letter === 'f' ? localizedFixed(number, precision) : localizedScientific(number, precision);
    }
  }
}

function no(letter: Clause['letter'], value: CelValue): FormatFailure {
  return { error: unsuitable(letter, typeOf(value).name) };
}

function asDouble(value: CelValue): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? named.get(value) : undefined;
}

const named: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function inBase(value: CelValue, base: number): string | undefined {
  if (typeof value === 'bigint') return value.toString(base);
  return typeof value === 'object' && value.kind === 'uint' ? value.uint.toString(base) : undefined;
}

function inHex(value: CelValue): string | undefined {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  return typeof value === 'object' && value.kind === 'bytes' ? Buffer.from(value.bytes).toString('hex') : inBase(value, 16);
}

function asString(value: CelValue): string | FormatFailure {
  if (typeof value !== 'object') return String(toText(value));
  switch (value.kind) {
    case 'list':
      return listText(value);
    case 'map':
      return mapText(value);
    case 'null':
      return 'null';
    case 'uint':
    case 'timestamp':
    case 'duration':
    case 'type':
    case 'bytes': {
      const text = toText(value);
      return typeof text === 'string' ? text : { error: `could not convert argument ${quote(errorText(text))} to string` };
    }
    default:
      return no('s', value);
  }
}

function errorText(value: CelValue): string {
  return typeof value === 'object' && value.kind === 'error' ? value.message : '';
}

/** A value inside a list or map: strings quoted, doubles with six decimals, times with their type. */
function inside(value: CelValue): string | FormatFailure {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return insideDouble(value);
  if (typeof value !== 'object') return asString(value);
  switch (value.kind) {
    case 'timestamp':
    case 'duration':
      return `${value.kind}(${quote(String(toText(value)))})`;
    case 'bytes': {
      const text = asString(value);
      return typeof text === 'string' ? `b${quote(text)}` : text;
    }
    case 'optional':
    case 'extension':
    case 'error':
      return { error: `no formatting function for ${typeOf(value).name}` };
    default:
      return asString(value);
  }
}

function insideDouble(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"+Inf"' : '"-Inf"';
  return formatFixed(value, defaultPrecision);
}

function listText(list: CelList): string | FormatFailure {
  const parts: string[] = [];
  for (const item of itemsOf(list)) {
    const text = inside(item);
    if (typeof text !== 'string') return text;
    parts.push(text);
  }
  return `[${parts.join(', ')}]`;
}

function mapText(map: CelMap): string | FormatFailure {
  const entries: (readonly [key: string, value: string])[] = [];
  for (const key of mapKeys(map)) {
    const keyText = mapKeyText(key);
    if (typeof keyText !== 'string') return keyText;
    const value = inside(findInMap(map, key) ?? '');
    if (typeof value !== 'string') return value;
    entries.push([keyText, value]);
  }
  entries.sort(([a], [b]) => compareKeys(a, b));
  return `{${entries.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

function mapKeyText(key: CelValue): string | FormatFailure {
  if (typeof key === 'string') return quote(key);
  if (typeof key === 'boolean') return String(key);
  return inBase(key, 10) ?? { error: `no formatting function for map key of type ${typeOf(key).name}` };
}
