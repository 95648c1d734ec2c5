import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { Schema, StructSchema } from '../../kubernetes/schema.js';
import { isZeroScalar } from './zero-value.js';

/** Removes, in place, fields that a type does not have, and zeros that the type cannot distinguish from absence. */
export function withoutUnknownFields(schema: StructSchema, value: ValueMap): void {
  for (const [key, inner] of value) {
    const field = schema.fieldsByName.get(key);
    if (field === undefined) value.delete(key);
    else if (field.schema.type !== 'leaf') clean(field.schema, inner);
    else if (!field.pointer && field.schema.leaf !== 'bytes' && isZeroScalar(inner) && (inner !== '' || field.schema.leaf === 'string'))
      value.delete(key);
  }
}

function clean(schema: Schema, value: Value): void {
  if (schema.type === 'struct') {
    if (isMap(value)) withoutUnknownFields(schema, value);
  } else if (schema.type === 'list') {
    if (isList(value)) for (const item of value) clean(schema.items, item);
  } else if (schema.type === 'map' && isMap(value)) for (const entry of value.values()) clean(schema.values, entry);
}
