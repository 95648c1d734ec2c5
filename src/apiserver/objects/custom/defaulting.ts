import { copyOf, isList, isMap, type Value, type ValueMap } from '../../../go/value.js';
import { memberSchema, type StructuralSchema } from './structural-schema.js';

/**
 * Applies defaults to members that are missing (or null and not nullable), at every level, in place. Source: apiextensions-apiserver
 * schema/defaulting.
 */
export function applyStructuralDefaults(value: Value, schema: StructuralSchema): void {
  if (isMap(value)) {
    for (const [name, property] of schema.properties) {
      if (property.default !== undefined && needsDefault(value.get(name), property)) value.set(name, copyOf(property.default));
    }
    for (const [name, member] of value) {
      const below = memberSchema(schema, name);
      if (below === undefined) continue;
      const filled = filledIn(member, below);
      if (filled !== member) value.set(name, filled);
      applyStructuralDefaults(filled, below);
    }
  } else if (isList(value) && schema.items !== undefined) {
    for (const [i, item] of value.entries()) {
      const filled = filledIn(item, schema.items);
      value[i] = filled;
      applyStructuralDefaults(filled, schema.items);
    }
  }
}

/** Removes nulls that are not allowed and have no default. Source: schema/defaulting PruneNonNullableNullsWithoutDefaults. */
export function pruneNulls(value: Value, schema: StructuralSchema): void {
  if (isMap(value)) pruneNullMembers(value, schema);
  else if (isList(value) && schema.items !== undefined) for (const item of value) pruneNulls(item, schema.items);
}

function pruneNullMembers(object: ValueMap, schema: StructuralSchema): void {
  for (const [name, member] of [...object]) {
    const below = memberSchema(schema, name);
    if (below === undefined) continue;
    if (member === null && !below.nullable && below.default === undefined) object.delete(name);
    else pruneNulls(member, below);
  }
}

function needsDefault(value: Value | undefined, schema: StructuralSchema): boolean {
  return value === undefined || (value === null && !schema.nullable);
}

function filledIn(value: Value, schema: StructuralSchema): Value {
  return value === null && !schema.nullable && schema.default !== undefined ? copyOf(schema.default) : value;
}
