import { isList, isMap, sameValue, type Value, type ValueMap } from '../../../../go/value.js';
import { memberSchema, type StructuralSchema } from '../../../objects/structural-schema.js';

/** Value of the object and the stored value it replaces. Source: apiserver pkg/cel/common/equality.go CorrelatedObject. */
export interface Correlated {
  readonly value: Value;
  readonly old: Value;
  readonly schema: StructuralSchema;
}

/** Returns the member and its stored value; undefined when they cannot be correlated. */
export function correlatedMember({ value, old, schema }: Correlated, name: string): Correlated | undefined {
  if (!isMap(value) || !isMap(old)) return undefined;
  const below = memberSchema(schema, name);
  const [now, before] = [value.get(name), old.get(name)];
  return below === undefined || now === undefined || before === undefined ? undefined : { value: now, old: before, schema: below };
}

/** Returns the item and the stored one with the same keys; only for lists of type map. */
export function correlatedItem({ value, old, schema }: Correlated, index: number): Correlated | undefined {
  if (!isList(value) || !isList(old) || schema.items === undefined) return undefined;
  const item = value[index] ?? null;
  const before = sameItem(old, item, schema);
  return before === undefined ? undefined : { value: item, old: before, schema: schema.items };
}

/** Returns the item of a list of maps with the keys of another one. Source: apiserver pkg/cel/common/maplist.go. */
export function sameItem(list: readonly Value[], item: Value, schema: StructuralSchema): Value | undefined {
  if (schema.type !== 'array' || schema.listType !== 'map' || schema.listMapKeys.length === 0) return undefined;
  const key = correlatedKeyOf(item, schema.listMapKeys);
  return key === undefined ? undefined : list.find(other => correlatedKeyOf(other, schema.listMapKeys) === key);
}

/** Reports whether nothing changed. Members without a schema cannot be correlated: a value with any counts as changed. */
export function isUnchanged(correlated: Correlated): boolean {
  const { value, old } = correlated;
  if (isList(value)) return isList(old) && value.length === old.length && sameItems(correlated, value, old);
  if (isMap(value)) return isMap(old) && value.size === old.size && [...value.keys()].every(name => sameMember(correlated, name));
  return sameValue(value, old);
}

function sameMember(correlated: Correlated, name: string): boolean {
  const member = correlatedMember(correlated, name);
  return member !== undefined && isUnchanged(member);
}

function sameItems(correlated: Correlated, list: Value[], old: Value[]): boolean {
  if (correlated.schema.listType !== 'map') return sameValue(list, old);
  return list.every((_, i) => {
    const item = correlatedItem(correlated, i);
    return item !== undefined && isUnchanged(item);
  });
}

/** Returns the key values with their types; undefined when one is missing or not a scalar. */
function correlatedKeyOf(item: Value, names: readonly string[]): string | undefined {
  if (!isMap(item)) return undefined;
  const key: string[] = [];
  for (const name of names) {
    const value = (item as ValueMap).get(name) ?? null;
    if (value === null || typeof value === 'object') return undefined;
    key.push(`${typeof value} ${value}`);
  }
  return JSON.stringify(key);
}
