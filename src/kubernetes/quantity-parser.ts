import { ownMember } from '../go/own-members.js';
import { type Amount, amountOf, powerOfTen, roundedUp } from './quantity-amount.js';

/** Not a valid quantity; the message is Go's. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

/** Notation of a quantity: `12e6`, `12Mi`, `12M`. */
export type QuantityFormat = 'DecimalExponent' | 'BinarySI' | 'DecimalSI';

/** Result of parsing; `reused` if the text is canonical. */
export interface ParsedQuantity {
  readonly amount: Amount;
  readonly format: QuantityFormat;
  readonly reused: boolean;
}

/** Which API server parses: up to v1.37 all digits of an amount are kept, since v1.38 the first 29. */
export type QuantityDigits = 'all' | 'bounded';

/**
 * Parses a quantity. An int64 with a power of ten if possible, with its text if Go considers it canonical; otherwise rounded up to
 * billionths and, in binary notation, cut to int64. Throws QuantityError. Source: apimachinery api/resource quantity.go.
 */
export function parseAmount(text: string, kept: QuantityDigits): ParsedQuantity {
  if (text === '0') return { amount: amountOf(0n, 0), format: 'DecimalSI', reused: true };
  const parts = splitQuantity(text);
  const suffix = interpretSuffix(parts.suffix);
  if (suffix === undefined) throw new QuantityError("unable to parse quantity's suffix");
  return parseInt64(parts, suffix) ?? parseDecimal(parts, suffix, kept);
}

const formatWrong = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

interface Parts {
  readonly negative: boolean;
  /** Digits before the decimal point, without leading zeros; `0` if there are none. */
  readonly whole: string;
  readonly fraction: string;
  /** Whether there is any digit. */
  readonly digits: boolean;
  readonly suffix: string;
}

/** A sign or a decimal point without digits is zero. */
function splitQuantity(text: string): Parts {
  const match = /^([+-]?)(0*)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/.exec(text);
  if (text === '' || match === null) throw new QuantityError(formatWrong);
  const [, sign, zeros = '', whole = '', fraction = '', suffix = ''] = match;
  return {
    negative: sign === '-',
    whole: whole === '' ? '0' : whole,
    fraction,
    digits: text === sign + zeros || `${zeros}${whole}${fraction}` !== '',
    suffix,
  };
}

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const decimalExponents: Readonly<Record<string, number>> = { '': 0, n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binaryExponents: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

function interpretSuffix(suffix: string): Suffix | undefined {
  const decimal = ownMember(decimalExponents, suffix);
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: 'DecimalSI' };
  const binary = ownMember(binaryExponents, suffix);
  if (binary !== undefined) return { base: 2, exponent: binary, format: 'BinarySI' };
  const exponent = /^[eE]([+-]?[0-9]+)$/.exec(suffix)?.[1];
  if (exponent === undefined) return undefined;
  const parsed = BigInt(exponent.replace('+', ''));
  if (BigInt.asIntN(64, parsed) !== parsed) return undefined;
  return { base: 10, exponent: Number(BigInt.asIntN(32, parsed)), format: 'DecimalExponent' };
}

/** Returns the amount as an int64 with a scale; undefined if Go does not try or it does not fit. */
function parseInt64({ negative, whole, fraction }: Parts, { base, exponent, format }: Suffix): ParsedQuantity | undefined {
  const length = whole.length + fraction.length;
  if (base === 2 && (fraction !== '' || 15 - length - Math.trunc((exponent * 3) / 10) - 1 < 0)) return undefined;
  if (base === 10 && length > 18) return undefined;
  const scale = (base === 2 ? 0 : exponent) - fraction.length;
  if (scale < -9) return undefined;
  const digits = whole + fraction;
  const value = BigInt(digits) << (base === 2 ? BigInt(exponent) : 0n);
  if (BigInt.asIntN(64, value) !== value) return undefined;
  const reused = base === 2 ? BigInt(digits) % 8n !== 0n : scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return { amount: amountOf(negative ? -value : value, scale), format, reused };
}

const maxInt64 = (1n << 63n) - 1n;
/** Powers of ten from here on are not computed: rounding does not change them, and Go would compute for minutes. */
const farExponent = 4096;

/** Most significant digits that are kept since v1.38, by the base of the suffix. */
const maxDigits = { 10: 29, 2: 70 };

/** Returns at most `most` significant digits, rounded away from zero, and how many more there are. Source: the same file, decFromDigits. */
function firstDigits(digits: string, most: number): { readonly significant: bigint; readonly dropped: number } {
  const significant = digits.replace(/^0+(?=.)/, '');
  if (significant.length <= most) return { significant: BigInt(significant), dropped: 0 };
  const isRounded = /[1-9]/.test(significant.slice(most));
  return { significant: BigInt(significant.slice(0, most)) + (isRounded ? 1n : 0n), dropped: significant.length - most };
}

function parseDecimal(
  { negative, whole, fraction, digits }: Parts,
  { base, exponent, format }: Suffix,
  kept: QuantityDigits,
): ParsedQuantity {
  if (!digits) throw new QuantityError('unable to parse numeric part of quantity');
  if (kept === 'bounded' && exponent === -(2 ** 31)) throw new QuantityError("unable to parse quantity's suffix");
  const { significant, dropped } = firstDigits(whole + fraction, kept === 'all' ? Number.POSITIVE_INFINITY : maxDigits[base]);
  const unscaled = significant << (base === 2 ? BigInt(exponent) : 0n);
  const given = { unscaled, scale: (base === 10 ? exponent : 0) - fraction.length + dropped, decimal: true };
  let amount: Amount = given;
  // Since v1.38 only smaller parts are rounded, and larger decimal amounts are not written in billionths.
  const isRounded = kept === 'all' || base === 2 ? given.scale < farExponent : given.scale < -9;
  if (unscaled !== 0n && isRounded) amount = { unscaled: roundedUp(given, -9).value, scale: -9, decimal: true };
  if (format === 'BinarySI' && amount.unscaled > maxInt64 * powerOfTen(9)) amount = { unscaled: maxInt64, scale: 0, decimal: true };
  const belowOne = format === 'BinarySI' && amount.unscaled > 0n && amount.unscaled < powerOfTen(-amount.scale);
  return {
    amount: negative ? { ...amount, unscaled: -amount.unscaled } : amount,
    format: belowOne ? 'DecimalSI' : format,
    reused: false,
  };
}
