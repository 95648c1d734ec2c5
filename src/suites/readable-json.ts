import { compareKeys, goFloat } from '../go/json/write.js';
import { isList, isMap, isRawJson, type Value } from '../go/value.js';

/** A value as compact JSON for people, keys sorted: without the escapes of `<`, `>` and `&` by which Go keeps JSON out of HTML. */
export function readableJson(value: Value): string {
  if (isMap(value)) {
    const keys = [...value.keys()].sort(compareKeys);
    return `{${keys.map(key => `${JSON.stringify(key)}:${readableJson(value.get(key) ?? null)}`).join(',')}}`;
  }
  if (isList(value)) return `[${value.map(readableJson).join(',')}]`;
  if (isRawJson(value)) return value.rawJson;
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' ? goFloat(value) : String(value);
}
