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
  const refusal = (why: string) => new IntegerError(`strconv.${called}: parsing ${quote(text)}: ${why}`);
  const [, sign = '', digits = '', rest = ''] = /^([+-]?)([0-9]*)([\s\S]*)$/.exec(text) ?? [];
  const magnitude = BigInt(digits === '' ? 0 : digits);
  // Go stops at the digit that overflows, before it sees what follows.
  if (digits === '' || (rest !== '' && magnitude < 2n ** 64n)) throw refusal('invalid syntax');
  const value = sign === '-' ? -magnitude : magnitude;
  if (value < -(2n ** 63n) || value >= 2n ** 63n) throw refusal('value out of range');
  return value;
}
