import { printGo } from '../../go/print.js';
import { isMap, type Value } from '../../go/value.js';
import { equalInGo, hashable } from './go-equality.js';
import { asMap, findByKey, mergeKeyOf } from './merge-keys.js';
import { PatchError } from './patch-error.js';

/** Identity of a list's items. */
export interface ItemIdentity {
  /** Empty for lists of scalars. */
  readonly mergeKey: string;
  readonly ofMaps: boolean;
}

/** Parts of a merged list. */
export interface MergedParts {
  readonly patchItems: readonly Value[];
  readonly serverOnly: readonly Value[];
  readonly patchOrder: readonly Value[];
  readonly serverOrder: readonly Value[];
}

/**
 * Splits the items into those that `by` names, and the others. Throws PatchError for an item without merge key, PatchPanic for objects
 * without one. Source: partitionMapsByPresentInList, partitionPrimitivesByPresentInList.
 */
export function partition(items: readonly Value[], by: readonly Value[], mergeKey: string): [Value[], Value[]] {
  const isNamed = mergeKey === '' ? scalarsIn(by) : (item: Value) => findByKey(by, mergeKey, mergeKeyOf(asMap(item), mergeKey)) >= 0;
  const named: Value[] = [];
  const others: Value[] = [];
  for (const item of items) (isNamed(item) ? named : others).push(item);
  return [named, others];
}

/**
 * Joins the parts: both keep their own order, and an item only the server has precedes the first patch item that followed it on the server.
 * Throws PatchError for an item without merge key. Source: normalizeElementOrder.
 */
export function inMergeOrder(parts: MergedParts, identity: ItemIdentity): Value[] {
  const right = sortedBy(parts.patchItems, parts.patchOrder, identity);
  const left = sortedBy(parts.serverOnly, parts.serverOrder, identity);
  const merged: Value[] = [];
  let i = 0;
  for (const item of right) {
    while (i < left.length && standsBefore(left[i] ?? null, item, { order: parts.serverOrder, identity })) {
      merged.push(left[i] ?? null);
      i += 1;
    }
    merged.push(item);
  }
  return [...merged, ...left.slice(i)];
}

/**
 * Throws PatchError when the items of the patch's list differ from `$setElementOrder` or are in another order; items to delete are ignored.
 * Source: validatePatchWithSetOrderList.
 */
export function checkElementOrder(patchList: readonly Value[], order: readonly Value[], mergeKey: string): void {
  if (order.length === 0 || patchList.length === 0) return;
  const items = mergeKey === '' ? patchList : withoutDeletions(patchList).kept;
  let i = 0;
  let at = 0;
  while (i < items.length && at < order.length) {
    const item = items[i] ?? null;
    if (isMap(item) && item.has('$patch')) {
      i += 1;
      continue;
    }
    if (sameItem(item, order[at] ?? null, mergeKey)) i += 1;
    at += 1;
  }
  if (i < items.length && at >= order.length)
    throw new PatchError(
      `The order in patch list:\n${printGo([...patchList])}\n doesn't match $setElementOrder list:\n${printGo([...order])}\n`,
    );
}

function scalarsIn(list: readonly Value[]): (item: Value) => boolean {
  const known = new Set(list.map(hashable));
  return item => known.has(hashable(item));
}

function sameItem(a: Value, b: Value, mergeKey: string): boolean {
  if (mergeKey === '') return equalInGo(a, b);
  const [left, right] = [asMap(a), asMap(b)];
  return equalInGo(mergeKeyOf(left, mergeKey), mergeKeyOf(right, mergeKey));
}

/** Sorts as Go's stable sort does with a comparison that is inconsistent for items missing in `order`. */
function sortedBy(items: readonly Value[], order: readonly Value[], identity: ItemIdentity): Value[] {
  if (identity.ofMaps) for (const item of [...items, ...order]) mergeKeyOf(asMap(item), identity.mergeKey);
  const { kept, deletions } = identity.ofMaps ? withoutDeletions(items) : { kept: items, deletions: [] };
  const ranked = kept.map(item => ({ item, rank: rankIn(order, item, identity) }));
  for (let i = 1; i < ranked.length; i += 1) {
    for (let j = i; j > 0; j -= 1) {
      const [before, moving] = [ranked[j - 1], ranked[j]];
      if (before === undefined || moving === undefined) break;
      if (moving.rank >= 0 && before.rank >= 0 && moving.rank >= before.rank) break;
      ranked[j - 1] = moving;
      ranked[j] = before;
    }
  }
  return [...ranked.map(({ item }) => item), ...deletions];
}

function standsBefore(left: Value, right: Value, { order, identity }: { order: readonly Value[]; identity: ItemIdentity }): boolean {
  const [l, r] = [rankIn(order, left, identity), rankIn(order, right, identity)];
  return l >= 0 && r >= 0 && l < r;
}

function rankIn(order: readonly Value[], item: Value, { mergeKey, ofMaps }: ItemIdentity): number {
  const identityOf = (v: Value): Value => (ofMaps ? (isMap(v) ? (v.get(mergeKey) ?? null) : null) : v);
  return order.findIndex(other => equalInGo(identityOf(item), identityOf(other)));
}

function withoutDeletions(list: readonly Value[]): { readonly kept: readonly Value[]; readonly deletions: readonly Value[] } {
  const kept: Value[] = [];
  const deletions: Value[] = [];
  for (const item of list) (asMap(item).get('$patch') === 'delete' ? deletions : kept).push(item);
  return { kept, deletions };
}
