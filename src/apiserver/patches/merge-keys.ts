import { goTypeOf, printGo } from '../../go/print.js';
import { isMap, type Value, type ValueMap } from '../../go/value.js';
import { equalInGo } from './go-equality.js';
import { PatchError } from './patch-error.js';

/**
 * Returns the index of the object with this value of the merge key; -1 when there is none. Throws PatchError for an item that is not an
 * object.
 */
export function findByKey(list: readonly Value[], mergeKey: string, value: Value): number {
  for (const [i, item] of list.entries()) {
    if (!isMap(item)) throw new PatchError(`value for key ${i} is not a map`);
    const found = item.get(mergeKey);
    if (found !== undefined && equalInGo(found, value)) return i;
  }
  return -1;
}

/** Returns the value of an object's merge key. Throws PatchError when it is missing. */
export function mergeKeyOf(item: ValueMap, mergeKey: string): Value {
  const value = item.get(mergeKey);
  if (value === undefined) throw new PatchError(`map: ${printGo(item)} does not contain declared merge key: ${mergeKey}`);
  return value;
}

/** Returns the value as an object. Throws PatchError for other types. */
export function asMap(value: Value): ValueMap {
  if (!isMap(value)) throw wrongMergeType('map[string]interface {}', value);
  return value;
}

/** Returns the error for a value of another type than the library requires. Source: mergepatch ErrBadArgType. */
export function wrongMergeType(expected: string, value: Value): PatchError {
  return new PatchError(`expected a ${expected}, but received a ${value === null ? '%!s(<nil>)' : goTypeOf(value)}`);
}
