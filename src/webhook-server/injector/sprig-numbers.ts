import { parseFloat64 } from '../../go/parse-float.js';
import { type GoFunction, goFunction } from '../../go-template/functions.js';
import { type GoInteger, type TemplateValue, withoutType } from '../../go-template/values.js';

/** Numeric functions of sprig. Source: Masterminds/sprig numeric.go. */
export const numberFunctions: readonly (readonly [string, GoFunction])[] = [
  ['int', goFunction(['any'], asInt)],
  ['int64', goFunction(['any'], value => int64(asInt(value)))],
  ['float64', goFunction(['any'], asFloat)],
  ['add', goFunction(['any', '...'], (...values) => int64(values.reduce<bigint>((sum, value) => sum + asInt(value), 0n)))],
  ['add1', goFunction(['any'], value => int64(asInt(value) + 1n))],
  ['sub', goFunction(['any', 'any'], (a, b) => int64(asInt(a) - asInt(b)))],
  ['mul', goFunction(['any', 'any', '...'], (...values) => int64(values.reduce<bigint>((product, value) => product * asInt(value), 1n)))],
  ['div', goFunction(['any', 'any'], (a, b) => int64(divided(asInt(a), asInt(b))))],
];

function int64(value: bigint): GoInteger {
  return { kind: 'integer', type: 'int64', value: BigInt.asIntN(64, value) };
}

/** Source: spf13/cast ToInt64. */
function asInt(given: TemplateValue): bigint {
  const value = withoutType(given);
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return truncated(value);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'string' ? integerIn(value) : 0n;
}

const minInt64 = -(1n << 63n);

/** A float outside of the range of integers becomes the smallest one, as on amd64. */
function truncated(value: number): bigint {
  return Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : minInt64;
}

/** Parses an integer with any of Go's prefixes, without its fraction; 0 for other text. Source: strconv.ParseInt with base 0. */
function integerIn(text: string): bigint {
  const [, whole = text] = /^([-+]?\d*)\.\d*$/.exec(text) ?? [];
  const [, sign = '', prefix = '', digits = ''] = /^([-+]?)(?:(0[xX]|0[bB]|0[oO]?)_?)?([\da-fA-F]+(?:_[\da-fA-F]+)*)$/.exec(whole) ?? [];
  if (digits === '') return 0n;
  const base = prefix === '' ? '' : `0${(prefix[1] ?? 'o').toLowerCase()}`;
  const magnitude = magnitudeOf(base + digits.replaceAll('_', ''));
  const value = sign === '-' ? -magnitude : magnitude;
  return BigInt.asIntN(64, value) === value ? value : 0n;
}

function magnitudeOf(text: string): bigint {
  try {
    return BigInt(text);
  } catch {
    return 0n;
  }
}

function asFloat(value: TemplateValue): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return Number(asInt(value));
  const parsed = parseFloat64(value);
  return typeof parsed === 'number' ? parsed : 0;
}

function divided(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new Error('runtime error: integer divide by zero');
  return a / b;
}
