import { type NumberError, numberError } from './parse-integer.js';

/** Parses a float64 in Go's syntax: decimal, hexadecimal, infinities and NaN. Source: Go strconv.ParseFloat. */
export function parseFloat64(text: string): number | NumberError {
  const value = /^[+-]?0x/i.test(text) ? hexFloat(text) : (named(text) ?? decimalFloat(text));
  if (value === undefined) return numberError('ParseFloat', text, 'invalid syntax');
  return Number.isFinite(value) || named(text) !== undefined ? value : numberError('ParseFloat', text, 'value out of range');
}

/** Parses a bool in one of Go's spellings. Source: Go strconv.ParseBool. */
export function parseBool(text: string): boolean | NumberError {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text) ? false : numberError('ParseBool', text, 'invalid syntax');
}

function named(text: string): number | undefined {
  const [, sign = '', name = ''] = /^([+-]?)(inf|infinity|nan)$/i.exec(text) ?? [];
  if (name === '') return undefined;
  if (/nan/i.test(name)) return sign === '' ? Number.NaN : undefined;
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function decimalFloat(text: string): number | undefined {
  const [, whole, fraction = ''] = /^[+-]?([\d_]*)(?:\.([\d_]*))?(?:[eE][+-]?\d[\d_]*)?$/.exec(text) ?? [];
  if (whole === undefined || !/\d/.test(whole + fraction) || /(?:^|\D)_|_(?:\D|$)/.test(text)) return undefined;
  return Number(text.replaceAll('_', ''));
}

function hexFloat(text: string): number | undefined {
  const match = /^([+-]?)0[xX]([\da-fA-F_]*)(?:\.([\da-fA-F_]*))?[pP]([+-]?\d[\d_]*)$/.exec(text);
  // An underscore may follow the base prefix, too.
  if (match === null || /[^\da-fA-FxX]_|_[^\da-fA-F]|_$/.test(text)) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match.map(part => part?.replaceAll('_', ''));
  if (whole + fraction === '') return undefined;
  const value = scaled(BigInt(`0x${whole}${fraction}`), Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}

/** Returns mantissa * 2^exponent, rounded once to the nearest even. */
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
