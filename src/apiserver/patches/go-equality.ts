import { isList, isMap, type Value } from '../../go/value.js';
import { PatchPanic } from './lazy-node.js';

/** Reports equality of untyped values by Go's `==`: false for values of different types. Throws PatchPanic for two objects or two lists. */
export function equalInGo(a: Value, b: Value): boolean {
  if ((isMap(a) && isMap(b)) || (isList(a) && isList(b))) throw new PatchPanic('runtime error: comparing uncomparable type');
  return a === b;
}

/** Returns the value as a key of a Go map: itself. Throws PatchPanic for an object or a list. */
export function hashable(value: Value): Value {
  if (isMap(value) || isList(value)) throw new PatchPanic('runtime error: hash of unhashable type');
  return value;
}
