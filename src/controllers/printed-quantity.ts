import type { Amount } from '../kubernetes/quantity-amount.js';
import { parseAmount } from '../kubernetes/quantity-parser.js';

/**
 * A quantity as Go prints the struct behind it: an integer with a power of ten, or a big decimal, and the text it came from where that is kept. Empty text
 * is a quantity that was never set. Throws QuantityError for what is none. Source: apimachinery api/resource quantity.go, gopkg.in/inf.v0.
 */
export function printedQuantity(text: string): string {
  if (text === '') return struct({ unscaled: 0n, scale: 0, decimal: false }, '', '');
  const { amount, format, reused } = parseAmount(text);
  return struct(amount, reused ? text : '', format);
}

function struct(amount: Amount, text: string, format: string): string {
  const { unscaled, scale } = amount.decimal ? { unscaled: 0n, scale: 0 } : amount;
  const integer = `i:(resource.int64Amount){value:(int64)${unscaled} scale:(resource.Scale)${scale}}`;
  const decimal = amount.decimal ? bigDecimal(amount) : '<nil>';
  return `{${integer} d:(resource.infDecAmount){Dec:(*inf.Dec)${decimal}} s:(string)${text} Format:(resource.Format)${format}}`;
}

/** Its scale counts digits behind the point. */
function bigDecimal({ unscaled, scale }: Amount): string {
  const words = wordsOf(unscaled < 0n ? -unscaled : unscaled);
  return `{unscaled:(big.Int){neg:(bool)${unscaled < 0n} abs:(big.nat)[${words.join(' ')}]} scale:(inf.Scale)${-scale}}`;
}

const wordBits = 64n;

/** The words of a number on a 64-bit machine, lowest first. */
function wordsOf(magnitude: bigint): bigint[] {
  const words: bigint[] = [];
  for (let rest = magnitude; rest > 0n; rest >>= wordBits) words.push(BigInt.asUintN(Number(wordBits), rest));
  return words;
}
