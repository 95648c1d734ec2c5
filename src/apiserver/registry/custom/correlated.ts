import { writeValue } from '../../../encoding/go-json.js';
import { isList, isMap, type Value, type ValueMap } from '../../../kubernetes/value.js';
import { memberSchema, type StructuralSchema } from '../../objects/custom/structural-schema.js';

/** A value of the object and the stored one it replaces. Source: apiserver cel/common.CorrelatedObject. */
export interface Correlated {
  readonly value: Value;
  readonly old: Value;
  readonly schema: StructuralSchema;
}

/** The member and its stored value; undefined when they cannot be told to be the same. */
export function correlatedMember({ value, old, schema }: Correlated, name: string): Correlated | undefined {
  if (!isMap(value) || !isMap(old)) return undefined;
  const below = memberSchema(schema, name);
  const [now, before] = [value.get(name), old.get(name)];
  return below === undefined || now === undefined || before === undefined ? undefined : { value: now, old: before, schema: below };
}

/** The item and the stored one with the same keys; only lists of type map have such. */
export function correlatedItem({ value, old, schema }: Correlated, index: number): Correlated | undefined {
  if (!isList(value) || !isList(old) || schema.listType !== 'map' || schema.items === undefined) return undefined;
  const item = value[index];
  if (!isMap(item)) return undefined;
  const key = keyOf(item, schema.listMapKeys);
  const before = old.find(o => isMap(o) && keyOf(o, schema.listMapKeys) === key);
  return before === undefined ? undefined : { value: item, old: before, schema: schema.items };
}

/** Has nothing changed? */
export function isUnchanged({ value, old }: Correlated): boolean {
  return writeValue(value, 'sorted') === writeValue(old, 'sorted');
}

function keyOf(item: ValueMap, keys: readonly string[]): string {
  return JSON.stringify(keys.map(key => writeValue(item.get(key) ?? null, 'sorted')));
}
