import { quote } from './quote.js';

/** The text is no int; the message is Go's. */
export class IntegerError extends Error {
  override readonly name = 'IntegerError';
}

/** A decimal int of 64 bits with an optional sign. Throws IntegerError. Source: Go strconv.Atoi. */
export function atoi(text: string): bigint {
  if (!/^[+-]?[0-9]+$/.test(text)) throw new IntegerError(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`);
  const value = BigInt(text.replace('+', ''));
  if (BigInt.asIntN(64, value) !== value) throw new IntegerError(`strconv.Atoi: parsing ${quote(text)}: value out of range`);
  return value;
}
