import type { Schema, StructSchema } from '../../../kubernetes/schema.js';
import { isList, isMap, type Value, type ValueMap } from '../../../kubernetes/value.js';

/**
 * Gives the items of atomic lists their empty lists and maps back, which JSON leaves out. Such lists are compared as Go's structs are: one
 * that is empty is not one that is not there. Changes `json`, which was written from `typed`. Source: structured-merge-diff
 * value/listreflect.go EqualsUsing.
 */
export function restoreEmptyMembers(json: ValueMap, typed: ValueMap, { fields }: StructSchema): void {
  for (const { name, schema, listType } of fields) {
    const isAtomic = schema.type === 'list' && listType !== 'map' && listType !== 'set';
    restoreBelow(json.get(name), typed.get(name), schema, isAtomic);
  }
}

function restoreBelow(json: Value | undefined, typed: Value | undefined, schema: Schema, isAtomic: boolean): void {
  if (schema.type === 'list' && isList(json) && isList(typed))
    for (const [index, item] of typed.entries()) restoreBelow(json[index], item, schema.items, isAtomic);
  else if (schema.type === 'struct' && isMap(json) && isMap(typed)) {
    if (isAtomic) restoreWithin(json, typed, schema);
    else restoreEmptyMembers(json, typed, schema);
  }
}

/** Everything below an atomic list is part of it. */
function restoreWithin(json: ValueMap, typed: ValueMap, { fields }: StructSchema): void {
  for (const { name, schema } of fields) {
    const member = typed.get(name);
    const isEmpty = (isList(member) && member.length === 0) || (isMap(member) && member.size === 0 && schema.type === 'map');
    if (isEmpty && json.get(name) === undefined) json.set(name, schema.type === 'map' ? new Map() : []);
    else restoreBelow(json.get(name), member, schema, true);
  }
}
