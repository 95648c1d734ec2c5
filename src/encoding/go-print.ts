import { isList, isMap, isRawJson, type Value } from '../kubernetes/value.js';
import { compareKeys } from './key-order.js';

/**
 * A value as Go's `%v` prints it: `map[a:1 b:[x <nil>]]`, keys sorted, texts without quotes. With `s` it is `%s`, which
 * marks what is no text: `%!s(int64=1)`. Source: fmt.
 */
export function printGo(value: Value, verb: 'v' | 's' = 'v'): string {
  if (value === null && verb === 's') return '%!s(<nil>)';
  return printed(value, verb);
}

/** What Go calls the type of an untyped value: `map[string]interface {}`, `int64`; `<nil>` has none. Source: reflect. */
export function goTypeOf(value: Value): string {
  if (value === null) return '<nil>';
  if (isMap(value)) return 'map[string]interface {}';
  if (isList(value)) return '[]interface {}';
  if (isRawJson(value)) return value.goType ?? 'string';
  switch (typeof value) {
    case 'bigint':
      return 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    default:
      return 'string';
  }
}

function printed(value: Value, verb: 'v' | 's'): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return value;
  if (isMap(value)) {
    const entries = [...value].sort(([a], [b]) => compareKeys(a, b));
    return `map[${entries.map(([key, inside]) => `${key}:${printed(inside, verb)}`).join(' ')}]`;
  }
  if (isList(value)) return `[${value.map(item => printed(item, verb)).join(' ')}]`;
  if (isRawJson(value)) return value.goText ?? value.rawJson;
  const text = typeof value === 'number' ? printFloat(value) : String(value);
  return verb === 's' ? `%!s(${goTypeOf(value)}=${text})` : text;
}

/** A float64 as `%v` prints it: the shortest digits, with an exponent from 1e+06 on or below 1e-4. Source: strconv FormatFloat 'g'. */
export function printFloat(n: number): string {
  if (Object.is(n, -0)) return '-0';
  if (!Number.isFinite(n)) return Number.isNaN(n) ? 'NaN' : n > 0 ? '+Inf' : '-Inf';
  const [digits = '', exponentText = ''] = n.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return plainDecimal(digits, exponent);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function plainDecimal(digits: string, exponent: number): string {
  const negative = digits.startsWith('-');
  const all = digits.replace('-', '').replace('.', '');
  const text =
    exponent < 0
      ? `0.${'0'.repeat(-exponent - 1)}${all}`
      : all.length <= exponent + 1
        ? all.padEnd(exponent + 1, '0')
        : `${all.slice(0, exponent + 1)}.${all.slice(exponent + 1)}`;
  return negative ? `-${text}` : text;
}
