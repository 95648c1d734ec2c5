import { pointerToken } from '../../encoding/json-pointer.js';
import { isMap, sameValue, type Value, type ValueMap } from '../../go/value.js';

/** Returns the merge patch between two objects. */
export function mergePatchOf(from: ValueMap, to: ValueMap): ValueMap {
  const patch: ValueMap = new Map();
  for (const [key, value] of to) {
    const before = from.get(key);
    if (before !== undefined && sameValue(before, value)) continue;
    patch.set(key, isMap(before) && isMap(value) ? mergePatchOf(before, value) : value);
  }
  for (const key of from.keys()) if (!to.has(key)) patch.set(key, null);
  return patch;
}

/** Returns a JSON patch between two objects, member by member. */
export function jsonPatchOf(from: Value, to: Value, path = ''): Value[] {
  if (!isMap(from) || !isMap(to)) return sameValue(from, to) ? [] : [operation('replace', path, to)];
  const written = [...to].flatMap(([key, value]) => {
    const before = from.get(key);
    const at = `${path}/${pointerToken(key)}`;
    // The API server drops empty maps, in which nothing can be added.
    return before === undefined || (isMap(before) && before.size === 0) ? [operation('add', at, value)] : jsonPatchOf(before, value, at);
  });
  const removed = [...from.keys()].filter(key => !to.has(key)).map(key => operation('remove', `${path}/${pointerToken(key)}`));
  return [...written, ...removed];
}

function operation(op: string, path: string, value?: Value): ValueMap {
  return new Map<string, Value>([['op', op], ['path', path], ...(value === undefined ? [] : [['value', value] as const])]);
}
