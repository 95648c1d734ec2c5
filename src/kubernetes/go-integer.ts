import { quote } from './quote.js';

/** The text is no int; the message is Go's. */
export class IntegerError extends Error {
  override readonly name = 'IntegerError';
}

/** A decimal int of 64 bits with an optional sign. Throws IntegerError. Source: Go strconv.Atoi. */
export function atoi(text: string): bigint {
  return parsed(text, 'Atoi');
}

/** The same where Go calls strconv.ParseInt, which names itself in the error. */
export function parseInt64(text: string): bigint {
  return parsed(text, 'ParseInt');
}

function parsed(text: string, called: string): bigint {
  if (!/^[+-]?[0-9]+$/.test(text)) throw new IntegerError(`strconv.${called}: parsing ${quote(text)}: invalid syntax`);
  const value = BigInt(text.replace('+', ''));
  if (BigInt.asIntN(64, value) !== value) throw new IntegerError(`strconv.${called}: parsing ${quote(text)}: value out of range`);
  return value;
}
