import { formatFloat } from './float.js';
import { compareKeys } from './key-order.js';
import { isList, isMap, isRawJson, type Value } from './value.js';

/**
 * Prints a value like Go's `%v`: `map[a:1 b:[x <nil>]]`, keys sorted, strings without quotes. `s` prints like `%s`, which marks other
 * types: `%!s(int64=1)`. Source: fmt.
 */
export function printGo(value: Value, verb: 'v' | 's' = 'v'): string {
  if (value === null && verb === 's') return '%!s(<nil>)';
  return printed(value, verb);
}

/** Returns Go's type of an untyped value: `map[string]interface {}`, `int64`; `<nil>` has none. Source: reflect. */
export function goTypeOf(value: Value): string {
  if (value === null) return '<nil>';
  if (isMap(value)) return 'map[string]interface {}';
  if (isList(value)) return '[]interface {}';
  switch (typeof value) {
    case 'bigint':
      return 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    default:
      return 'string';
  }
}

function printed(value: Value, verb: 'v' | 's'): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return value;
  if (isMap(value)) {
    const entries = [...value].sort(([a], [b]) => compareKeys(a, b));
    return `map[${entries.map(([key, inside]) => `${key}:${printed(inside, verb)}`).join(' ')}]`;
  }
  if (isList(value)) return `[${value.map(item => printed(item, verb)).join(' ')}]`;
  if (isRawJson(value)) return value.goText ?? value.rawJson;
  const text = typeof value === 'number' ? formatFloat(value) : String(value);
  return verb === 's' ? `%!s(${goTypeOf(value)}=${text})` : text;
}
