import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import { hashable } from './go-equality.js';
import { PatchError } from './patch-error.js';

/** Returns the member of the original that a member of the patch refers to, and whether it lists items to delete. */
export function targetOfDirective(patchKey: string): { readonly key: string; readonly isDeletion: boolean } {
  if (!patchKey.startsWith('$deleteFromPrimitiveList')) return { key: patchKey, isDeletion: false };
  const key = afterPrefix(patchKey, '$deleteFromPrimitiveList', 'invalid patch format of primitive list');
  return { key: key === '' ? patchKey : key, isDeletion: true };
}

/** Returns the member after `PREFIX/`. Throws PatchError with the given message when the slash is missing. */
export function afterPrefix(patchKey: string, prefix: string, message: string): string {
  if (!patchKey.startsWith(`${prefix}/`)) throw new PatchError(message);
  return patchKey.slice(prefix.length + 1);
}

/**
 * Applies `$retainKeys`: removes members of the original that it does not list. Throws PatchError when the patch sets a member that it does
 * not list. Source: strategicpatch applyRetainKeysDirective.
 */
export function retainKeys(original: ValueMap, patch: ValueMap): void {
  const listed = patch.get('$retainKeys');
  if (listed === undefined) return;
  patch.delete('$retainKeys');
  if (!isList(listed)) throw new PatchError(badRetainKeys);
  const kept = new Set(listed.map(hashable));
  for (const [key, value] of patch) {
    const isDirective = key.startsWith('$deleteFromPrimitiveList') || key.startsWith('$setElementOrder');
    if (value !== null && !isDirective && !kept.has(key)) throw new PatchError(badRetainKeys);
  }
  for (const key of [...original.keys()]) if (!kept.has(key)) original.delete(key);
}

const badRetainKeys = 'invalid patch format of retainKeys';

/** Removes nulls from the objects in a value, also those in lists; null items are kept. */
export function discardNulls(value: Value): void {
  if (isList(value)) value.forEach(discardNulls);
  if (!isMap(value)) return;
  for (const [key, inside] of value) {
    if (inside === null) value.delete(key);
    else discardNulls(inside);
  }
}

/** Sets a member to a value of the patch without its directives; a value that is itself a directive removes the member. */
export function setWithoutDirectives(into: ValueMap, key: string, value: Value): void {
  const kept = withoutDirectives(value);
  if (kept === undefined) into.delete(key);
  else into.set(key, kept);
}

/**
 * Returns the value without objects that have `$patch`; undefined when it is one. Objects are changed in place. Source: removeDirectives.
 */
export function withoutDirectives(value: Value): Value | undefined {
  if (isList(value)) return value.map(withoutDirectives).filter(item => item !== undefined);
  if (!isMap(value)) return value;
  if (value.has('$patch')) return undefined;
  for (const [key, inside] of [...value]) setWithoutDirectives(value, key, inside);
  return value;
}
