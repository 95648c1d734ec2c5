import { isList, isMap, isRawJson, type Value, type ValueMap } from '../../../go/value.js';
import type { Schema, StructSchema } from '../../../kubernetes/schema.js';

/** Representation of raw JSON within atomic lists: JSON, or bytes where it is only compared. */
export type RawTexts = 'as JSON' | 'as bytes';

/**
 * Restores the empty lists and maps in items of atomic lists, which JSON omits. Such lists are compared as Go structs: an empty list
 * differs from an absent one, and raw JSON is bytes. Changes `json`, which was written from `typed`. Source: structured-merge-diff
 * value/listreflect.go EqualsUsing.
 */
export function restoreEmptyMembers(json: ValueMap, typed: ValueMap, schema: StructSchema, rawTexts: RawTexts = 'as JSON'): void {
  restoreStruct({ json, typed }, schema, rawTexts);
}

interface Pair {
  readonly json: ValueMap;
  readonly typed: ValueMap;
}

function restoreStruct({ json, typed }: Pair, { fieldsByName }: StructSchema, rawTexts: RawTexts): void {
  for (const [name, member] of typed) {
    if (!isMap(member) && !isList(member)) continue;
    const field = fieldsByName.get(name);
    if (field === undefined || field.schema.type === 'leaf') continue;
    const { schema, listType } = field;
    const isAtomic = schema.type === 'list' && listType !== 'map' && listType !== 'set';
    restoreBelow(json.get(name), member, { schema, isAtomic, rawTexts });
  }
}

interface Below {
  readonly schema: Schema;
  readonly isAtomic: boolean;
  readonly rawTexts: RawTexts;
}

function restoreBelow(json: Value | undefined, typed: Value | undefined, { schema, isAtomic, rawTexts }: Below): void {
  if (schema.type === 'list' && isList(json) && isList(typed))
    for (const [index, item] of typed.entries()) restoreBelow(json[index], item, { schema: schema.items, isAtomic, rawTexts });
  else if (schema.type === 'map' && isMap(json) && isMap(typed))
    // Recorded calls show that raw JSON in the structs of a map is compared as JSON.
    for (const [key, value] of typed) restoreBelow(json.get(key), value, { schema: schema.values, isAtomic, rawTexts: 'as JSON' });
  else if (schema.type === 'struct' && isMap(json) && isMap(typed)) {
    if (isAtomic) restoreWithin({ json, typed }, schema, rawTexts);
    else restoreStruct({ json, typed }, schema, rawTexts);
  }
}

/** Restores everything below an atomic list. */
function restoreWithin({ json, typed }: Pair, { fieldsByName }: StructSchema, rawTexts: RawTexts): void {
  for (const [name, member] of typed) {
    const schema = fieldsByName.get(name)?.schema;
    if (schema === undefined) continue;
    const isEmpty = (isList(member) && member.length === 0) || (isMap(member) && member.size === 0 && schema.type === 'map');
    if (isEmpty && json.get(name) === undefined) json.set(name, schema.type === 'map' ? new Map() : []);
    else if (rawTexts === 'as bytes' && isRawJson(member)) json.set(name, new Map([['', member.sent ?? member.rawJson]]));
    else restoreBelow(json.get(name), member, { schema, isAtomic: true, rawTexts });
  }
}
