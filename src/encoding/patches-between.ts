import { isList, isMap, sameValue, type Value, type ValueMap } from '../go/value.js';
import { pointerToken } from './json-pointer.js';

/** Returns the merge patch between two objects. */
export function mergePatchBetween(from: ValueMap, to: ValueMap): ValueMap {
  const patch: ValueMap = new Map();
  for (const [key, value] of to) {
    const before = from.get(key);
    if (before !== undefined && sameValue(before, value)) continue;
    patch.set(key, isMap(before) && isMap(value) ? mergePatchBetween(before, value) : value);
  }
  for (const key of from.keys()) if (!to.has(key)) patch.set(key, null);
  return patch;
}

/** Returns the operations of a JSON patch between two values: maps by member, lists of one length by item, others as a whole. */
export function jsonPatchBetween(from: Value, to: Value, path = ''): Value[] {
  if (isList(from) && isList(to) && from.length === to.length) {
    return to.flatMap((value, index) => jsonPatchBetween(from[index] ?? null, value, `${path}/${index}`));
  }
  if (!isMap(from) || !isMap(to)) return sameValue(from, to) ? [] : [operation('replace', path, to)];
  const written = [...to].flatMap(([key, value]) => {
    const before = from.get(key);
    const at = `${path}/${pointerToken(key)}`;
    // The API server drops empty maps, in which nothing can be added.
    const isNew = before === undefined || (isMap(before) && before.size === 0 && !sameValue(before, value));
    return isNew ? [operation('add', at, value)] : jsonPatchBetween(before, value, at);
  });
  const removed = [...from.keys()].filter(key => !to.has(key)).map(key => operation('remove', `${path}/${pointerToken(key)}`));
  return [...written, ...removed];
}

function operation(op: string, path: string, value?: Value): ValueMap {
  return new Map<string, Value>([['op', op], ['path', path], ...(value === undefined ? [] : [['value', value] as const])]);
}
