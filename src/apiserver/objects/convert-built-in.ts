import type { Value } from '../../go/value.js';
import { copyOf, isList, isMap, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind } from '../../kubernetes/group-version.js';
import type { Schema, StructSchema } from '../../kubernetes/schema.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import { fromInternal, toInternal } from './internal-version.js';
import { isZeroScalar } from './zero-value.js';

/**
 * Converts the object to another version of its kind, through the internal version; does not change its input. Both kinds must be built in
 * and have the same internal type. Throws DecodeError where a conversion fails.
 */
export function convertBuiltIn(server: ApiServer, value: ValueMap, from: GroupVersionKind, to: GroupVersionKind): ValueMap {
  const [source, target] = [schemaOfKind(server, from), schemaOfKind(server, to)];
  if (source === undefined || target === undefined) throw new Error(`no built-in kind: ${from.kind} or ${to.kind}`);
  const converted = copyOf(value);
  toInternal(source, converted);
  fromInternal(target, converted);
  withoutUnknownFields(target, converted);
  converted.set('kind', to.kind).set('apiVersion', apiVersionOf(to));
  return converted;
}

/** Removes, in place, fields that a type does not have, and zeros that the type cannot distinguish from absence. */
function withoutUnknownFields(schema: StructSchema, value: ValueMap): void {
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
