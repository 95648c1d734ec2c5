import { trimSpace } from '../go/white-space.js';
import { memoizeStrings } from './memoize.js';
import { type Amount, amountOf, canonicalDecimal, powerOfTen, roundedUp, withoutFactors } from './quantity-amount.js';
import { parseAmount, type QuantityFormat } from './quantity-parser.js';

export { QuantityError, type QuantityFormat } from './quantity-parser.js';

/** resource.Quantity: an amount of CPU, memory and so on. */
export interface Quantity extends Amount {
  /** Notation; undefined for a quantity read from `null`. */
  readonly format: QuantityFormat | undefined;
  /** Original text, if it is canonical. */
  readonly text?: string | undefined;
}

/** A quantity, or the text of one. Text that is not a quantity throws QuantityError. */
export type QuantityLike = Quantity | string;

/**
 * Parses `500m`, `1.5Gi`, `12e6`. Throws QuantityError with Go's message. Memoized, as the same few amounts are parsed repeatedly. Source:
 * apimachinery api/resource ParseQuantity.
 */
export const parseQuantity: (text: string) => Quantity = memoizeStrings(1000, text => {
  const { amount, format, reused } = parseAmount(text, 'all');
  const { unscaled, scale, decimal } = amount;
  return { unscaled, scale, decimal, format, text: reused ? text : undefined };
});

/** Parses a quantity as the API server does since v1.38: with 29 digits, and with a power of ten where there is no suffix for one. */
export const parseBoundedQuantity: (text: string) => Quantity = memoizeStrings(1000, text => {
  const { amount, format, reused } = parseAmount(text, 'bounded');
  const { unscaled, scale, decimal } = amount;
  const parsed = { unscaled, scale, decimal, format };
  return { ...parsed, text: reused ? text : textBeyondSuffixes(parsed) };
});

/** Returns the text of an amount that is larger than any suffix expresses; undefined for others. Source: Quantity.CanonicalizeBytes. */
function textBeyondSuffixes(quantity: Quantity): string | undefined {
  if (quantity.unscaled === 0n || quantity.format === 'DecimalExponent') return undefined;
  if (quantity.format === 'BinarySI' && !isBelow1024(quantity)) {
    const { value, exact } = roundedUp(quantity, 0);
    if (exact && withoutFactors(value, 1024n).times < binarySuffixes.length) return undefined;
  }
  const { mantissa, exponent } = canonicalDecimal(quantity);
  return decimalSuffixes.has(exponent) ? undefined : `${mantissa}e${exponent}`;
}

/**
 * Parses a raw JSON value: a string, whose escapes are not decoded, a number or null. Throws QuantityError. Source: Quantity.UnmarshalJSON.
 */
export function quantityOfJson(raw: string): Quantity {
  if (raw === 'null') return { ...amountOf(0n, 0), format: undefined };
  const quoted = raw.length >= 2 && raw.startsWith('"') && raw.endsWith('"');
  return parseQuantity(trimSpace(quoted ? raw.slice(1, -1) : raw));
}

/** Returns an integer as a quantity. */
export function quantityOf(value: bigint, format: QuantityFormat): Quantity {
  return { ...amountOf(value, 0), format };
}

/** Returns the canonical text: `1500m`, `1Gi`. Source: Quantity.String. */
export function quantityText(quantity: Quantity): string {
  if (quantity.text !== undefined && quantity.text !== '') return quantity.text;
  if (quantity.unscaled === 0n) return '0';
  if (quantity.format === 'BinarySI' && !isBelow1024(quantity)) {
    const { value, exact } = roundedUp(quantity, 0);
    if (exact) {
      const { rest, times } = withoutFactors(value, 1024n);
      return `${rest}${binarySuffixes[times] ?? ''}`;
    }
  }
  const { mantissa, exponent } = canonicalDecimal(quantity);
  if (quantity.format === 'DecimalExponent' || quantity.format === undefined) {
    return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
  }
  // There is no suffix beyond exa, and Go leaves it out.
  return `${mantissa}${decimalSuffixes.get(exponent) ?? ''}`;
}

/** Returns a negative number, zero or a positive number if `a` is less than, equal to or more than `b`. */
export function compareQuantities(a: QuantityLike, b: QuantityLike): number {
  const left = quantityOfLike(a);
  const right = quantityOfLike(b);
  const [x, y] = aligned(left, right);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Returns whether two quantities are the same amount, in any notation. */
export function sameQuantity(a: QuantityLike, b: QuantityLike): boolean {
  return compareQuantities(a, b) === 0;
}

export function isZeroQuantity(quantity: QuantityLike): boolean {
  return quantityOfLike(quantity).unscaled === 0n;
}

/** Returns -1, 0 or 1. */
export function quantitySign(quantity: QuantityLike): number {
  const { unscaled } = quantityOfLike(quantity);
  return unscaled < 0n ? -1 : unscaled > 0n ? 1 : 0;
}

/** Returns the sum in the notation of `a`, or of `b` if `a` is zero. Source: Quantity.Add. */
export function addQuantities(a: QuantityLike, b: QuantityLike): Quantity {
  return sumOf(quantityOfLike(a), quantityOfLike(b));
}

/** Returns the difference in the notation of `a`, or of `b` if `a` is zero. Source: Quantity.Sub. */
export function subtractQuantities(a: QuantityLike, b: QuantityLike): Quantity {
  return sumOf(quantityOfLike(a), negatedQuantity(b));
}

export function negatedQuantity(quantity: QuantityLike): Quantity {
  const { unscaled, scale, decimal, format } = quantityOfLike(quantity);
  return { unscaled: -unscaled, scale, decimal, format };
}

/** Returns the value as an int64, rounded away from zero; out of range it is wrong as it is in Go. Source: Quantity.Value. */
export function quantityValue(quantity: QuantityLike): bigint {
  return scaledValue(quantityOfLike(quantity), 0);
}

/** Returns the value in thousandths as an int64, rounded away from zero. Source: Quantity.MilliValue. */
export function milliValue(quantity: QuantityLike): bigint {
  return scaledValue(quantityOfLike(quantity), -3);
}

/** Returns the value in thousandths as an int64, rounded away from zero; undefined out of range. Source: Quantity.AsMilliInt64. */
export function milliInt64(quantity: QuantityLike): bigint | undefined {
  const { value } = roundedUp(quantityOfLike(quantity), -3);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Reports whether a quantity is an integer, however large. Source: Quantity.AsScale. */
export function isWholeQuantity(quantity: QuantityLike): boolean {
  return roundedUp(quantityOfLike(quantity), 0).exact;
}

/** Returns the exact product of two quantities, which only serves comparisons. */
export function productOfQuantities(a: QuantityLike, b: QuantityLike): Quantity {
  const [left, right] = [quantityOfLike(a), quantityOfLike(b)];
  return { unscaled: left.unscaled * right.unscaled, scale: left.scale + right.scale, decimal: true, format: 'DecimalSI' };
}

/** Returns the quantity in whole multiples of 10^scale, rounded away from zero. Source: Quantity.RoundUp. */
export function roundedUpQuantity(quantity: QuantityLike, scale: number): Quantity {
  const from = quantityOfLike(quantity);
  if (from.scale >= scale && !from.decimal) return from;
  return { unscaled: roundedUp(from, scale).value, scale, decimal: from.decimal, format: from.format };
}

/** Returns the value as an int64 if Go has it without arbitrary precision; undefined otherwise. Source: Quantity.AsInt64. */
export function int64OfQuantity(quantity: QuantityLike): bigint | undefined {
  const { unscaled, scale, decimal } = quantityOfLike(quantity);
  if (decimal || scale < 0) return undefined;
  const value = unscaled * powerOfTen(scale);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Returns the value as a float64, not always the nearest one. Source: Quantity.AsApproximateFloat64. */
export function approximateFloat(quantity: QuantityLike): number {
  const { unscaled, scale } = quantityOfLike(quantity);
  return scale === 0 ? Number(unscaled) : Number(unscaled) * Number(`1e${scale}`);
}

const decimalSuffixes = new Map([
  [-9, 'n'],
  [-6, 'u'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
  [12, 'T'],
  [15, 'P'],
  [18, 'E'],
]);
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

function quantityOfLike(quantity: QuantityLike): Quantity {
  return typeof quantity === 'string' ? parseQuantity(quantity) : quantity;
}

function isBelow1024(amount: Amount): boolean {
  const [value, bound] = aligned(amount, amountOf(1024n, 0));
  return value < bound && value > -bound;
}

/** Returns the unscaled values of two amounts at the smaller of their scales. */
function aligned(a: Amount, b: Amount): [bigint, bigint] {
  const scale = Math.min(a.scale, b.scale);
  return [a.unscaled * powerOfTen(a.scale - scale), b.unscaled * powerOfTen(b.scale - scale)];
}

function sumOf(a: Quantity, b: Quantity): Quantity {
  const format = a.unscaled === 0n ? b.format : a.format;
  if (!a.decimal && !b.decimal) {
    if (b.unscaled === 0n) return { unscaled: a.unscaled, scale: a.scale, decimal: false, format };
    if (a.unscaled === 0n) return { unscaled: b.unscaled, scale: b.scale, decimal: false, format };
  }
  const scale = Math.min(a.scale, b.scale);
  const [x, y] = aligned(a, b);
  const unscaled = x + y;
  const decimal = a.decimal || b.decimal || [x, y, unscaled].some(n => BigInt.asIntN(64, n) !== n);
  return { unscaled, scale, decimal, format };
}

function scaledValue(amount: Amount, scale: number): bigint {
  return amount.decimal ? scaledDecimal(amount, scale) : scaledInt64(amount, scale);
}

/** Beyond int64 Go continues with the powers of its table, and returns 0 for other scales. */
function scaledInt64(amount: Amount, scale: number): bigint {
  if (amount.scale < scale) return roundedUp(amount, scale).value;
  const power = amount.scale - scale;
  const value = amount.unscaled * powerOfTen(power);
  const wrapped = BigInt.asIntN(64, value);
  return wrapped === value || powersAtHand.has(power) ? wrapped : 0n;
}

const powersAtHand = new Set([0, 1, 2, 3, 6, 9]);

/** Go rounds numbers of arbitrary precision towards positive infinity, or one further if it divides int64s. */
function scaledDecimal({ unscaled, scale: from }: Amount, scale: number): bigint {
  // Go converts a power of ten beyond int64 to the smallest int64.
  if (from - scale >= 19) return BigInt.asIntN(64, unscaled << 63n);
  if (from >= scale) return BigInt.asIntN(64, unscaled * powerOfTen(from - scale));
  const divisor = powerOfTen(scale - from);
  const fast = unscaled < (1n << 63n) - 1n && scale - from < 19;
  const dividend = fast ? BigInt.asIntN(64, unscaled) : unscaled;
  const quotient = dividend / divisor;
  const remainder = dividend % divisor;
  if (remainder === 0n) return BigInt.asIntN(64, quotient);
  return BigInt.asIntN(64, remainder < 0n && !fast ? quotient : quotient + 1n);
}
