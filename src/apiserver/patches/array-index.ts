import { quote } from '../../go/quote.js';

const maxUint64 = 2n ** 64n - 1n;
const maxInt64 = 2n ** 63n - 1n;

/** A whole number as Go's strconv.Atoi reads it (`01`, `+1`, `-0` count), or Go's error text. Source: strconv ParseInt. */
export function parseIndex(text: string): { readonly index: bigint } | { readonly error: string } {
  const negative = text.startsWith('-');
  const digits = negative || text.startsWith('+') ? text.slice(1) : text;
  if (digits === '') return failure(text, 'invalid syntax');
  let value = 0n;
  for (const digit of digits) {
    if (digit < '0' || digit > '9') return failure(text, 'invalid syntax');
    value = value * 10n + BigInt(digit);
    // Go stops reading here: what follows may be anything.
    if (value > maxUint64) return failure(text, 'value out of range');
  }
  if (value > (negative ? maxInt64 + 1n : maxInt64)) return failure(text, 'value out of range');
  return { index: negative ? -value : value };
}

function failure(text: string, reason: string): { readonly error: string } {
  return { error: `strconv.Atoi: parsing ${quote(text)}: ${reason}` };
}
