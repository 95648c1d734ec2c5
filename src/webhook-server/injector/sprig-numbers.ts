import { parseFloat64 } from '../../go/parse-float.js';
import { type GoFunction, goFunction } from '../../go-template/functions.js';
import { type GoValue, withoutByte } from '../../go-template/values.js';

/** Numeric functions of sprig. Source: Masterminds/sprig numeric.go. */
export const numberFunctions: readonly (readonly [string, GoFunction])[] = [
  ['int', goFunction(['any'], asInt)],
  ['int64', goFunction(['any'], asInt)],
  ['float64', goFunction(['any'], asFloat)],
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
];

/** Source: spf13/cast ToInt64. */
function asInt(given: GoValue): bigint {
  const value = withoutByte(given);
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
  const [, sign = '', prefix = '', digits = ''] = /^([-+]?)(0[xX]|0[bB]|0[oO]?)?_?([\da-fA-F]+(?:_[\da-fA-F]+)*)$/.exec(whole) ?? [];
  // Underscores are only allowed in numbers with a prefix.
  if (digits === '' || (prefix === '' && digits.includes('_'))) return 0n;
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

function asFloat(value: GoValue): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return Number(asInt(value));
  const parsed = parseFloat64(value);
  return typeof parsed === 'number' ? parsed : 0;
}

function divided(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new Error('runtime error: integer divide by zero');
  return BigInt.asIntN(64, a / b);
}
