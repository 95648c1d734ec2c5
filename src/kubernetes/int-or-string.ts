import { atoi } from '../go/parse-integer.js';
import { quote } from '../go/quote.js';

/** intstr.IntOrString: an int32, or a text such as `25%` or the name of a port. */
export type IntOrString = bigint | string;

/** Not a valid percentage; the message is Go's. */
export class IntOrStringError extends Error {
  override readonly name = 'IntOrStringError';
}

/**
 * Returns the value as a number: a percentage of the total, rounded up or down, or the int itself. Throws IntOrStringError for any other
 * text. Source: intstr.GetScaledValueFromIntOrPercent.
 */
export function scaledIntOrPercent(value: IntOrString, total: number, rounded: 'up' | 'down'): bigint {
  if (typeof value === 'bigint') return value;
  if (!value.endsWith('%')) throw new IntOrStringError('invalid value for IntOrString: invalid type: string is not a percentage');
  const share = (Number(percentageOf(value)) * total) / 100;
  const scaled = BigInt(rounded === 'up' ? Math.ceil(share) : Math.floor(share));
  // Go converts numbers beyond int64 to the smallest int64.
  return BigInt.asIntN(64, scaled) === scaled ? scaled : -(1n << 63n);
}

/** Returns the value as a number; 0 for a text that is not a number. Source: IntOrString.IntValue. */
export function intValueOf(value: IntOrString): bigint {
  if (typeof value === 'bigint') return value;
  const parsed = atoi(value);
  if (typeof parsed === 'bigint') return parsed;
  // For a number out of range Go returns the nearest int.
  if (!parsed.error.endsWith('value out of range')) return 0n;
  return value.startsWith('-') ? -(1n << 63n) : (1n << 63n) - 1n;
}

function percentageOf(value: string): bigint {
  const parsed = atoi(value.slice(0, -1));
  if (typeof parsed === 'bigint') return parsed;
  throw new IntOrStringError(`invalid value for IntOrString: invalid value ${quote(value)}: ${parsed.error}`);
}
