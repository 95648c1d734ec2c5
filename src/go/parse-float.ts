import { quote } from './quote.js';

/** An int64 in decimal digits, with a sign if there is one; undefined when it is none or too large. Source: strconv.ParseInt. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** A uint64 in decimal digits. Source: strconv.ParseUint. */
export function parseUint64(text: string): bigint | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asUintN(64, value) === value ? value : undefined;
}

/** A float64 in Go's syntax; undefined when it is none or beyond the range. Source: strconv.ParseFloat. */
export function parseFloat64(text: string): number | undefined {
  const named = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (named !== null) {
    if (/nan/i.test(named[2] ?? '')) return named[1] === '' ? Number.NaN : undefined;
    return named[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (/^[+-]?0x/i.test(text)) return parseHexFloat(text);
  if (!decimalFloat.test(text) || !underscoresFit(text)) return undefined;
  return finite(Number(text.replaceAll('_', '')));
}

/** A bool in one of Go's spellings. Source: strconv.ParseBool. */
export function parseBool(text: string): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text) ? false : undefined;
}

/** An int in decimal digits, or the error of Go's Atoi. Source: strconv.Atoi. */
export function atoi(text: string): bigint | { readonly error: string } {
  const value = parseInt64(text);
  if (value !== undefined) return value;
  const reason = /^[+-]?\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
  return { error: `strconv.Atoi: parsing ${quote(text)}: ${reason}` };
}

const decimalFloat = /^[+-]?(?:[\d_]*\d[\d_]*\.?[\d_]*|\.[\d_]*\d[\d_]*)(?:[eE][+-]?[\d_]*\d[\d_]*)?$/;
const hexFloat = /^([+-]?)0[xX]([\da-fA-F_]*)\.?([\da-fA-F_]*)[pP]([+-]?[\d_]*\d[\d_]*)$/;

/** An underscore stands between two digits, or between a base prefix and a digit. */
function underscoresFit(text: string): boolean {
  return !/(^|[^\da-fA-FxX])_|_($|[^\da-fA-F])/.test(text);
}

function parseHexFloat(text: string): number | undefined {
  const match = hexFloat.exec(text);
  if (match === null || !underscoresFit(text)) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match.map(part => part.replaceAll('_', ''));
  if (whole + fraction === '') return undefined;
  const mantissa = BigInt(`0x${whole}${fraction}`);
  const value = scaled(mantissa, Number(exponent) - 4 * fraction.length);
  return finite(sign === '-' ? -value : value);
}

/** mantissa * 2^exponent, rounded once to the nearest even. */
function scaled(mantissa: bigint, exponent: number): number {
  if (mantissa === 0n) return 0;
  const bits = mantissa.toString(2).length;
  if (bits + exponent > 1030) return Number.POSITIVE_INFINITY;
  if (bits + exponent < -1100) return 0;
  const lowest = Math.max(bits + exponent - 53, -1074);
  const drop = lowest - exponent;
  if (drop <= 0) return Number(mantissa) * 2 ** exponent;
  const unit = 1n << BigInt(drop);
  let kept = mantissa / unit;
  const twice = (mantissa % unit) * 2n;
  if (twice > unit || (twice === unit && kept % 2n === 1n)) kept += 1n;
  // In two steps: 2^-1074 is the smallest power there is.
  return lowest < -1000 ? Number(kept) * 2 ** (lowest + 100) * 2 ** -100 : Number(kept) * 2 ** lowest;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
