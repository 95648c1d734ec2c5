import { goTypeOf, printGo } from '../../go/print.js';
import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import { equalInGo, hashable } from './go-equality.js';
import { type GoType, kindOfType } from './go-type.js';
import { PatchPanic } from './lazy-node.js';
import { findByKey, mergeKeyOf } from './merge-keys.js';
import { inMergeOrder, partition } from './merge-order.js';
import { PatchError } from './patch-error.js';
import type { PatchMeta } from './patch-meta.js';

/** Merges two objects of a type. */
export type MergeMaps = (original: ValueMap, patch: ValueMap, type: GoType) => ValueMap;

/** Options for merging two lists. */
export interface ListMerge extends PatchMeta {
  /** Whether the patch lists items to delete from a list of scalars. */
  readonly isDeletion: boolean;
  readonly mergeMaps: MergeMaps;
}

/**
 * Merges a list of the patch into one of the original. Without the strategy `merge` it is replaced. May change `original` in place as Go's
 * append does in its array. Throws PatchError, PatchPanic. Source: mergeSliceHandler.
 */
export function mergeLists(original: Value[], patch: Value[], merge: ListMerge): Value[] {
  if (merge.strategy !== 'merge' && !merge.isDeletion) return patch;
  if (original.length === 0 && patch.length === 0) return original;
  const ofMaps = elementTypeOf([original, patch]) === 'map[string]interface {}';
  if (!ofMaps && merge.isDeletion) {
    const deleted = new Set(patch.map(hashable));
    return original.filter(item => !deleted.has(hashable(item)));
  }
  if (!ofMaps) {
    const merged = joinScalars(original, patch);
    const [patchItems, serverOnly] = partition(merged, patch, merge.mergeKey);
    return inMergeOrder({ patchItems, serverOnly, patchOrder: patch, serverOrder: original }, { mergeKey: merge.mergeKey, ofMaps });
  }
  if (merge.mergeKey === '') throw new PatchError(`cannot merge lists without merge key for ${kindOfType(merge.type)}`);
  const special = applySpecialItems(original, patch, merge.mergeKey);
  const merged = mergeItems(original, special, merge);
  const [patchItems, serverOnly] = partition(merged, special.patch, merge.mergeKey);
  return inMergeOrder(
    { patchItems, serverOnly, patchOrder: special.patch, serverOrder: special.original },
    { mergeKey: merge.mergeKey, ofMaps },
  );
}

/**
 * Returns Go's name of the common type of all items. Throws PatchError when the types differ, are lists, or there are no items; PatchPanic
 * when the first is null. Source: sliceElementType.
 */
export function elementTypeOf(lists: readonly (readonly Value[])[]): string {
  let first: string | undefined;
  for (const item of lists.flat()) {
    const type = goTypeOf(item);
    if (first === undefined) {
      if (item === null) throw new PatchPanic('the type of null is asked for');
      if (isList(item)) throw new PatchError('lists of lists are not supported');
      first = type;
    } else if (type !== first) {
      throw new PatchError(`list element types are not identical: [${lists.map(list => printGo([...list])).join(' ')}]`);
    }
  }
  if (first === undefined) throw new PatchError('no elements in any of the given slices');
  return first;
}

/**
 * Joins both lists without duplicates. Done in place where Go's array has capacity, so that `original` changes too: the capacity of arrays
 * read from JSON is a power of two. Source: deduplicateScalars.
 */
function joinScalars(original: Value[], patch: readonly Value[]): Value[] {
  const both = [...original, ...patch];
  const room = 2 ** Math.ceil(Math.log2(Math.max(original.length, 1)));
  const inPlace = both.length <= room;
  let last = both.length - 1;
  for (let i = 0; i < last; i += 1) {
    for (let j = i + 1; j <= last; j += 1) {
      if (!equalInGo(both[i] ?? null, both[j] ?? null)) continue;
      both[j] = both[last] ?? null;
      last -= 1;
      j -= 1;
    }
  }
  if (inPlace) both.slice(0, original.length).forEach((item, i) => void original.splice(i, 1, item));
  return both.slice(0, last + 1);
}

interface SpecialItems {
  readonly original: readonly Value[];
  readonly patch: readonly Value[];
  /** Whether the result starts in the array of `original`. */
  readonly shared: boolean;
}

/** Applies items with `$patch`: `delete` removes one, `replace` replaces all. Source: mergeSliceWithSpecialElements. */
function applySpecialItems(original: Value[], patch: readonly Value[], mergeKey: string): SpecialItems {
  const plain: Value[] = [];
  let length = original.length;
  let replace = false;
  for (const item of patch) {
    const directive = isMap(item) ? item.get('$patch') : undefined;
    if (!isMap(item) || directive === undefined) plain.push(item);
    else if (directive === 'delete') length = deleteMatching({ list: original, length }, mergeKey, mergeKeyOf(item, mergeKey));
    else if (directive === 'replace') replace = true;
    else if (directive === 'merge') throw new PatchError('merging lists cannot yet be specified in the patch');
    else throw new PatchError(`unknown patch type: ${printGo(directive, 's')} in map: ${printGo(item)}`);
  }
  if (replace) return { original: plain, patch: [], shared: false };
  return { original: original.slice(0, length), patch: plain, shared: true };
}

/** Removes items as Go's append does: following items move up in the same array, whose end keeps its old items. */
function deleteMatching({ list, length }: { list: Value[]; length: number }, mergeKey: string, value: Value): number {
  let left = length;
  for (;;) {
    const at = findByKey(list.slice(0, left), mergeKey, value);
    if (at < 0) return left;
    list.copyWithin(at, at + 1, left);
    left -= 1;
  }
}

function mergeItems(array: Value[], special: SpecialItems, { mergeKey, mergeMaps, type }: ListMerge): Value[] {
  const merged = [...special.original];
  for (const item of special.patch) {
    if (!isMap(item)) throw new PatchPanic('an item is not an object');
    const at = findByKey(merged, mergeKey, mergeKeyOf(item, mergeKey));
    const found = merged[at];
    if (isMap(found)) {
      merged[at] = mergeMaps(found, item, type);
      if (special.shared && at < array.length) array[at] = merged[at] ?? null;
    } else {
      // Appending overwrites the places of deleted items in the original's array.
      if (special.shared && merged.length < array.length) array[merged.length] = item;
      merged.push(item);
    }
  }
  return merged;
}
