import { isList, type Value, type ValueMap } from '../../go/value.js';
import type { GoType } from './go-type.js';
import { afterPrefix, withoutDirectives } from './merge-directives.js';
import { wrongType } from './merge-keys.js';
import { elementTypeOf, type MergeMaps, mergeLists } from './merge-lists.js';
import { checkElementOrder, inOrder, partition } from './merge-order.js';
import { metaOfList } from './patch-meta.js';

/** Two objects being merged. */
export interface ObjectMerge {
  readonly original: ValueMap;
  readonly patch: ValueMap;
  readonly type: GoType;
  readonly mergeMaps: MergeMaps;
}

/**
 * Applies a member `$setElementOrder/LIST` of the patch: merges its list, sorts the result in that order, and removes both from the patch.
 * Throws PatchError, PatchPanic. Source: strategicpatch mergePatchIntoOriginal.
 */
export function mergeInElementOrder({ original, patch, type, mergeMaps }: ObjectMerge, patchKey: string, order: Value): void {
  patch.delete(patchKey);
  if (!isList(order)) throw wrongType('[]interface {}', order);
  const key = afterPrefix(patchKey, '$setElementOrder', 'invalid patch format of setElementOrder list');
  const originalList = listIn(original, key);
  const patchList = listIn(patch, key);
  const meta = metaOfList(type, key);
  checkElementOrder(patchList ?? [], order, meta.mergeKey);
  if (originalList === undefined && patchList === undefined) return;
  const merged = merge(originalList, patchList, list => mergeLists(list.original, list.patch, { ...meta, isDeletion: false, mergeMaps }));
  const [patchItems, serverOnly] = partition(merged, order, meta.mergeKey);
  const ofMaps = elementTypeOf([originalList ?? [], patchList ?? []]) === 'map[string]interface {}';
  original.set(
    key,
    inOrder({ patchItems, serverOnly, patchOrder: order, serverOrder: originalList ?? [] }, { mergeKey: meta.mergeKey, ofMaps }),
  );
  patch.delete(key);
}

function listIn(map: ValueMap, key: string): Value[] | undefined {
  const value = map.get(key);
  if (value !== undefined && !isList(value)) throw wrongType('[]interface {}', value);
  return value;
}

function merge(
  original: Value[] | undefined,
  patch: Value[] | undefined,
  both: (lists: { original: Value[]; patch: Value[] }) => Value[],
): Value[] {
  if (patch === undefined) return original ?? [];
  if (original !== undefined) return both({ original, patch });
  const added = withoutDirectives(patch);
  return isList(added) ? added : [];
}
