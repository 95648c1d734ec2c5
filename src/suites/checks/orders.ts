/**
 * Other orders of `count` items, as lists of their indexes, at most `limit`: first each pair of neighbors swapped, which shows which
 * webhooks depend on each other, then the reverse, then the rest in lexical order.
 */
export function ordersToTry(count: number, limit: number): readonly (readonly number[])[] {
  const own = Array.from({ length: count }, (_, i) => i);
  const swapped = own.slice(1).map(i => own.map(at => (at === i ? i - 1 : at === i - 1 ? i : at)));
  const seen = new Set([String(own)]);
  const orders: (readonly number[])[] = [];
  for (const order of ordersFrom([...swapped, [...own].reverse()], own)) {
    if (orders.length === limit) break;
    if (seen.has(String(order))) continue;
    seen.add(String(order));
    orders.push(order);
  }
  return orders;
}

/** Number of other orders. Infinity where a double is not exact. */
export function otherOrders(count: number): number {
  return Array.from({ length: count }, (_, i) => i + 1).reduce((product, i) => product * i, 1) - 1;
}

function* ordersFrom(first: readonly (readonly number[])[], own: readonly number[]): Generator<readonly number[]> {
  yield* first;
  yield* permutationsOf(own);
}

function* permutationsOf(rest: readonly number[]): Generator<readonly number[]> {
  if (rest.length <= 1) yield rest;
  else
    for (const head of rest) {
      for (const tail of permutationsOf(rest.filter(i => i !== head))) yield [head, ...tail];
    }
}
