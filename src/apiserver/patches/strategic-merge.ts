import { JsonTypeError, readUnstructuredStrict } from '../../encoding/unstructured.js';
import { JsonSyntaxError } from '../../go/json/syntax-error.js';
import { goTypeOf, printGo } from '../../go/print.js';
import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { StructSchema } from '../../kubernetes/schema.js';
import type { GoType } from './go-type.js';
import { afterPrefix, discardNulls, retainKeys, setWithoutDirectives, targetOfDirective, withoutDirectives } from './merge-directives.js';
import { wrongMergeType } from './merge-keys.js';
import { elementTypeOf, type MergeMaps, mergeLists } from './merge-lists.js';
import { checkElementOrder, inMergeOrder, partition } from './merge-order.js';
import { PatchDecodeError, PatchError } from './patch-error.js';
import { metaOfField, metaOfList } from './patch-meta.js';

/**
 * Merges a strategic merge patch into an object of a built-in kind and returns the merged map. Both are changed (error texts print the
 * changed patch) and must not be reused. Throws PatchError with the library's message, PatchPanic where it panics. Source: apimachinery
 * strategicpatch StrategicMergeMapPatch.
 */
export function strategicMerge(original: ValueMap, patch: ValueMap, schema: StructSchema): ValueMap {
  return mergeMaps(original, patch, { schema, pointer: false });
}

/** Strategic merge patch and the strict field validation errors of its text. */
export interface StrategicPatch {
  readonly patch: ValueMap;
  /** `duplicate field "spec.a"` */
  readonly strictErrors: readonly string[];
}

/** Parses a strategic merge patch; `null` changes nothing. Throws PatchDecodeError. Source: apiserver handlers strategicPatchObject. */
export function decodeStrategicPatch(patchText: string): StrategicPatch {
  const { value, strictErrors } = read(patchText);
  if (value === null) return { patch: new Map(), strictErrors };
  if (isMap(value)) return { patch: value, strictErrors };
  const kind = isList(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'number';
  throw new PatchDecodeError(`json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`);
}

function read(text: string): { readonly value: Value; readonly strictErrors: readonly string[] } {
  try {
    return readUnstructuredStrict(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonTypeError) throw new PatchDecodeError(error.message);
    throw error;
  }
}

/** Merges two maps; often returns `original` itself. */
function mergeMaps(original: ValueMap, patch: ValueMap, type: GoType): ValueMap {
  const directive = patch.get('$patch');
  if (directive !== undefined) return applyDirective(directive, patch);
  retainKeys(original, patch);
  for (const [key, order] of [...patch])
    if (key.startsWith('$setElementOrder')) mergeInElementOrder({ original, patch, type, mergeMaps }, key, order);
  for (const [key, value] of [...patch]) mergeMember({ original, type }, key, value);
  return original;
}

function applyDirective(directive: Value, patch: ValueMap): ValueMap {
  if (directive === 'replace') {
    patch.delete('$patch');
    return patch;
  }
  if (directive === 'delete') return new Map();
  throw new PatchError(`unknown patch type: ${printGo(directive, 's')} in map: ${printGo(patch)}`);
}

function mergeMember({ original, type }: { original: ValueMap; type: GoType }, patchKey: string, value: Value): void {
  const { key, isDeletion } = targetOfDirective(patchKey);
  if (value === null) {
    original.delete(key);
    return;
  }
  const current = original.get(key);
  if (current === undefined || goTypeOf(current) !== goTypeOf(value)) {
    if (isDeletion) return;
    discardNulls(value);
    setWithoutDirectives(original, key, value);
  } else if (isMap(current) && isMap(value)) {
    const meta = metaOfField(type, key);
    original.set(key, meta.strategy === 'replace' ? value : mergeMaps(current, value, meta.type));
  } else if (isList(current) && isList(value)) {
    const meta = metaOfList(type, key);
    original.set(key, mergeLists(current, value, { ...meta, isDeletion, mergeMaps }));
  } else {
    setWithoutDirectives(original, key, value);
  }
}

/** Two objects being merged. */
interface ObjectMerge {
  readonly original: ValueMap;
  readonly patch: ValueMap;
  readonly type: GoType;
  readonly mergeMaps: MergeMaps;
}

/**
 * Applies a member `$setElementOrder/LIST` of the patch: merges its list, sorts the result in that order, and removes both from the patch.
 * Throws PatchError, PatchPanic. Source: strategicpatch mergePatchIntoOriginal.
 */
function mergeInElementOrder({ original, patch, type, mergeMaps }: ObjectMerge, patchKey: string, order: Value): void {
  patch.delete(patchKey);
  if (!isList(order)) throw wrongMergeType('[]interface {}', order);
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
    inMergeOrder({ patchItems, serverOnly, patchOrder: order, serverOrder: originalList ?? [] }, { mergeKey: meta.mergeKey, ofMaps }),
  );
  patch.delete(key);
}

function listIn(map: ValueMap, key: string): Value[] | undefined {
  const value = map.get(key);
  if (value !== undefined && !isList(value)) throw wrongMergeType('[]interface {}', value);
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
