import { copyOf, isList, isMap, type Value, type ValueMap, valueAt } from '../../go/value.js';

/** A path of keys and indexes. */
export type Path = readonly (string | number)[];

/** Returns a copy with another value at a path, or without it. */
export function withValue(object: ValueMap, path: Path, value: Value | undefined): ValueMap {
  const copy = copyOf(object);
  const holder = valueAt(copy, ...path.slice(0, -1));
  const key = path.at(-1) ?? '';
  if (isMap(holder)) {
    if (value === undefined) holder.delete(String(key));
    else holder.set(String(key), value);
  } else if (isList(holder)) {
    if (value === undefined) holder.splice(Number(key), 1);
    else holder[Number(key)] = value;
  }
  return copy;
}
