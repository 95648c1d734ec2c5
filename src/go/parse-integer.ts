import { quote } from './quote.js';

/** Error of Go's parsers of numbers: `strconv.Atoi: parsing "x": invalid syntax`. */
export interface NumberError {
  readonly error: string;
}

/** Parses a decimal int with an optional sign. Source: Go strconv.Atoi. */
export function atoi(text: string): bigint | NumberError {
  return signed(text, 'Atoi');
}

/** Parses a decimal int64 with an optional sign. Source: Go strconv.ParseInt. */
export function parseInt64(text: string): bigint | NumberError {
  return signed(text, 'ParseInt');
}

/** Parses a decimal uint64. Source: Go strconv.ParseUint. */
export function parseUint64(text: string): bigint | NumberError {
  return parseUint(text, 64);
}

/** Parses a decimal unsigned integer of so many bits. Source: Go strconv.ParseUint. */
export function parseUint(text: string, bits: 16 | 32 | 64): bigint | NumberError {
  return magnitudeOf(text, bits) ?? numberError('ParseUint', text, overflows(text, bits) ? 'value out of range' : 'invalid syntax');
}

/** Returns the error of a function of Go's strconv. */
export function numberError(called: string, text: string, reason: 'invalid syntax' | 'value out of range'): NumberError {
  return { error: `strconv.${called}: parsing ${quote(text)}: ${reason}` };
}

function signed(text: string, called: string): bigint | NumberError {
  const digits = /^[+-]/.test(text) ? text.slice(1) : text;
  const magnitude = magnitudeOf(digits);
  if (magnitude === undefined) return numberError(called, text, overflows(digits) ? 'value out of range' : 'invalid syntax');
  const value = text.startsWith('-') ? -magnitude : magnitude;
  return BigInt.asIntN(64, value) === value ? value : numberError(called, text, 'value out of range');
}

/** Returns the unsigned integer in a text of digits; undefined for other texts and larger numbers. */
function magnitudeOf(digits: string, bits = 64): bigint | undefined {
  if (!/^[0-9]+$/.test(digits) || overflows(digits, bits)) return undefined;
  return BigInt(digits);
}

/** Returns whether the leading digits exceed an unsigned integer. Go stops at the digit that overflows, regardless of what follows. */
function overflows(text: string, bits = 64): boolean {
  const leading = /^0*([0-9]*)/.exec(text)?.[1] ?? '';
  return leading.length > 20 || BigInt(leading) >= 1n << BigInt(bits);
}
