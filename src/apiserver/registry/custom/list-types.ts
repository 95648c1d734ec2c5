import { shownValue } from '../../../encoding/shown-value.js';
import { writeValue } from '../../../go/json/write.js';
import { isList, isMap, type Value, type ValueMap } from '../../../go/value.js';
import { duplicate, type FieldError, invalidValue } from '../../../kubernetes/field-error.js';
import { childPath, keyPath } from '../../../kubernetes/field-path.js';
import type { StructuralSchema } from '../../objects/custom/structural-schema.js';

/** Returns errors for duplicate items in lists of type set and map. Source: apiextensions-apiserver schema/listtype. */
export function listTypeErrors(value: Value, schema: StructuralSchema, path = ''): FieldError[] {
  if (isList(value)) {
    const { items } = schema;
    const below = items === undefined ? [] : value.flatMap((item, i) => listTypeErrors(item, items, `${path}[${i}]`));
    return [...ownErrors(value, schema, path), ...below];
  }
  if (!isMap(value)) return [];
  const additional = schema.additionalProperties;
  const others = typeof additional === 'object' ? [...value].flatMap(([k, v]) => listTypeErrors(v, additional, keyPath(path, k))) : [];
  const named = [...value].flatMap(([k, v]) => {
    const of = schema.properties.get(k);
    return of === undefined ? [] : listTypeErrors(v, of, childPath(path, k));
  });
  return [...others, ...named];
}

function ownErrors(list: readonly Value[], schema: StructuralSchema, path: string): FieldError[] {
  if (schema.listType === 'set') return repeated(list).map(i => duplicate(`${path}[${i}]`, shownValue(list[i] ?? null)));
  if (schema.listType !== 'map') return [];
  const odd = list.findIndex(item => item !== null && !isMap(item));
  if (odd >= 0) return [invalidValue(`${path}[${odd}]`, shownValue(list[odd] ?? null), 'must be an object for an array of list-type map')];
  const keys = list.map(item => keyOf(item, schema.listMapKeys));
  return repeated(keys).map(i => duplicate(`${path}[${i}]`, shownValue(keys[i] ?? null)));
}

function keyOf(item: Value, names: readonly string[]): ValueMap {
  const key: ValueMap = new Map();
  for (const name of names) {
    const value = isMap(item) ? item.get(name) : undefined;
    if (value !== undefined) key.set(name, value);
  }
  return key;
}

/** Returns the index of each second occurrence; further ones are not reported. */
function repeated(list: readonly Value[]): number[] {
  const times = new Map<string, number>();
  return list.flatMap((item, i) => {
    const key = `${typeof item} ${writeValue(item, 'sorted')}`;
    const seen = (times.get(key) ?? 0) + 1;
    times.set(key, seen);
    return seen === 2 ? [i] : [];
  });
}
