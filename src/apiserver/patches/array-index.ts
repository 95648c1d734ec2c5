import { atoi } from '../../go/parse-integer.js';

/** Parses the index of an array as Go's strconv.Atoi does (`01`, `+1`, `-0` are valid), or returns Go's error text. */
export function parseIndex(text: string): { readonly index: bigint } | { readonly error: string } {
  const index = atoi(text);
  return typeof index === 'object' ? index : { index };
}
