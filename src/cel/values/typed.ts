import { isList, isMap, type Value } from '../../go/value.js';
import type { Schema } from '../../kubernetes/schema.js';
import { itemAt } from './found.js';
import { celMapSize, findInMap, mapKeys } from './maps.js';
import type { CelList, CelMap, CelValue, FoundValue, TypedMap } from './value.js';

type Equality = (a: CelValue, b: CelValue) => CelValue;

/** Reports whether two values of a Go struct are semantically equal. */
export type StructEquality = (schema: Schema, a: Value, b: Value) => boolean;

/**
 * Returns an object's JSON as a value with Go types. It differs from plain data in comparisons: with a value of another kind they are errors.
 * Source: apiserver pkg/cel/common/valuesschemalesstyped.go SchemalessTypedToVal.
 */
export function typedValue(value: Value, schema: Schema | undefined, areEqual: StructEquality): FoundValue {
  // Types that write their own JSON are converted to plain data.
  if (schema?.type === 'leaf') return value;
  if (isList(value)) {
    const items = schema?.type === 'list' ? schema.items : undefined;
    return { kind: 'list', items: value.map(item => typedValue(item, items, areEqual)), goType: 'baseList', inside: 'data', typed: true };
  }
  if (!isMap(value)) return value;
  const byKey = new Map<string, FoundValue>();
  for (const [key, member] of value) byKey.set(key, typedValue(member, memberOf(schema, key), areEqual));
  const entries = { keys: 'strings', byKey } as const;
  if (schema?.type !== 'struct') return { kind: 'map', entries, typed: {} };
  const struct = { name: schema.name, raw: value, isEqualTo: (other: Value) => areEqual(schema, value, other) };
  return { kind: 'map', entries, typed: { struct } };
}

function memberOf(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema?.type === 'map') return schema.values;
  return schema?.type === 'struct' ? schema.fieldsByName.get(key)?.schema : undefined;
}

/** Compares the items in order; an error counts as a difference. */
export function typedListEqual(list: CelList, other: CelList, equal: Equality): boolean {
  return list.items.length === other.items.length && list.items.every((_, i) => equal(itemAt(list, i), itemAt(other, i)) === true);
}

/** Compares two structs of a type as Go does, and others by their members. */
export function typedMapEqual(map: CelMap, { struct }: TypedMap, other: CelMap, equal: Equality): CelValue {
  const otherStruct = other.typed?.struct;
  if (struct !== undefined && otherStruct !== undefined) return struct.name === otherStruct.name && struct.isEqualTo(otherStruct.raw);
  if (celMapSize(map) !== celMapSize(other)) return false;
  for (const key of mapKeys(map)) {
    const mine = findInMap(map, key);
    const found = findInMap(other, key);
    if (mine === undefined || found === undefined) return false;
    const same = equal(mine, found);
    if (same !== true) return struct === undefined ? false : same;
  }
  return true;
}
