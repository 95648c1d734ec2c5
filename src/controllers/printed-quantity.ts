import type { Amount } from '../kubernetes/quantity-amount.js';
import { parseAmount } from '../kubernetes/quantity-parser.js';

/**
 * Prints the struct of a quantity like Go: an integer with a power of ten, or a big decimal, and its text if kept. Empty text is an unset
 * quantity. Throws QuantityError for an invalid one. Source: apimachinery api/resource quantity.go, gopkg.in/inf.v0.
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

/** Its scale counts decimals. */
function bigDecimal({ unscaled, scale }: Amount): string {
  const limbs = wordsOf(unscaled < 0n ? -unscaled : unscaled);
  return `{unscaled:(big.Int){neg:(bool)${unscaled < 0n} abs:(big.nat)[${limbs.join(' ')}]} scale:(inf.Scale)${-scale}}`;
}

const wordBits = 64n;

/** Returns a number in 64-bit chunks, lowest first. */
function wordsOf(magnitude: bigint): bigint[] {
  const limbs: bigint[] = [];
  for (let rest = magnitude; rest > 0n; rest >>= wordBits) limbs.push(BigInt.asUintN(Number(wordBits), rest));
  return limbs;
}
