import type { ValueMap } from '../../go/value.js';
import { milliValue, parseQuantity, type Quantity, quantityText } from '../../kubernetes/quantity.js';

/** Shorter amounts are int64s. */
const longestInt64 = 18;

const byList = new WeakMap<ValueMap, Map<string, Quantity>>();

/**
 * Remembers an amount of a decoded resource list if its canonical text denotes a different one: Go holds `100000000000000000000` with
 * arbitrary precision, and its text `100E` as an int64 with a scale, which overflows differently.
 */
export function rememberExact(list: ValueMap, name: string, text: string): void {
  const known = byList.get(list);
  known?.delete(name);
  if (text.length <= longestInt64) return;
  const quantity = parseQuantity(text);
  if (milliValue(quantity) === milliValue(quantityText(quantity))) return;
  if (known === undefined) byList.set(list, new Map([[name, quantity]]));
  else known.set(name, quantity);
}

/** Returns the amount under a name as it was decoded; its canonical text is `text`. */
export function exactQuantity(list: ValueMap, name: string, text: string): Quantity {
  return byList.get(list)?.get(name) ?? parseQuantity(text);
}
