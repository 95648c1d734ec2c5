import { exactDecimal, fixedPoint, formatFixed, roundedTo } from '../../go/exact-decimal.js';
import { formatFloat } from '../../go/float.js';
import { compareKeys } from '../../go/key-order.js';
import { quote } from '../../go/quote.js';
import { toText } from '../values/convert.js';
import { foundItemsOf } from '../values/found.js';
import { findInMap, mapKeys } from '../values/maps.js';
import { celTypeOf } from '../values/type-of.js';
import { type CelList, type CelMap, type CelValue, celError } from '../values/value.js';
import { type Clause, type FormatFailure, parseFormat } from './format-parser.js';

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
  return { error: unsuitable(letter, celTypeOf(value).name) };
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
      return { error: `no formatting function for ${celTypeOf(value).name}` };
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
  for (const item of foundItemsOf(list)) {
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
  return inBase(key, 10) ?? { error: `no formatting function for map key of type ${celTypeOf(key).name}` };
}

/**
 * A double with a number of decimals, as the message printer of Go's x/text formats it for en_US: `1,234.50`, `∞`. There the maximum number
 * of digits is an int16 and the minimum a uint8: a precision above 255 gives fewer zeros, one above 32767 the shortest digits.
 */
function localizedFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return special(value);
  const max = Number(BigInt.asIntN(16, BigInt(precision)));
  const fewest = Number(BigInt.asUintN(8, BigInt(precision)));
  const { whole, fraction } = max < 0 ? shortest(value) : fixedPoint(value, max);
  const digits = fraction.replace(/0+$/, '').padEnd(fewest, '0');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return (value < 0 ? '-' : '') + (digits === '' ? grouped : `${grouped}.${digits}`);
}

/**
 * A double with an exponent: `1.234568×10⁰⁴`. cel-go passes the precision as a width, so there are always six decimals, and leading spaces
 * when the text is shorter than the width, of which 16 bits are used.
 */
function localizedScientific(value: number, precision: number): string {
  const width = Number(BigInt.asUintN(16, BigInt(precision)));
  if (!Number.isFinite(value)) return special(value).padStart(width);
  const { digits, point } = roundedTo(exactDecimal(value), 7);
  const padded = digits.padEnd(7, '0');
  const exponent = digits === '' ? 0 : point - 1;
  const power = String(Math.abs(exponent)).padStart(2, '0');
  const raised = (exponent < 0 ? '⁻' : '') + Array.from(power, digit => superscripts[Number(digit)]).join('');
  return `${value < 0 ? '-' : ''}${padded[0]}.${padded.slice(1, 7)}×10${raised}`.padStart(width);
}

function shortest(value: number): { readonly whole: string; readonly fraction: string } {
  const [whole = '', fraction = ''] = formatFloat(Math.abs(value), 'f').split('.');
  return { whole, fraction };
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function special(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}
