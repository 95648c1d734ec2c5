import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { Schema, StructSchema } from '../../kubernetes/schema.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import type { Codec } from './codec.js';

/**
 * Returns a copy of a built-in object as read from storage: protobuf does not distinguish empty from absent lists and maps, so both become
 * absent. JSON, in which some groups are stored, does. Source: generated.proto of the API groups, kubernetes
 * pkg/kubeapiserver/default_storage_factory_builder.go.
 */
export function storedValue(value: ValueMap, codec: Codec): ValueMap {
  const schema = schemaOfKind(codec.server, codec.kind);
  if (schema === undefined) return value;
  if (codec.server.storageFactory.isStoredAsJson(codec.kind.group)) return codec.decode(codec.encode(value)).value;
  return structOf(schema, value);
}

function structOf(schema: StructSchema, value: ValueMap): ValueMap {
  const kept: ValueMap = new Map();
  for (const [name, member] of value) {
    const field = schema.fieldsByName.get(name);
    const stored = field === undefined ? member : keptOf(field.schema, member);
    if (stored !== undefined) kept.set(name, stored);
  }
  return kept;
}

/** Returns the stored form of a value; undefined when it is not stored. */
function keptOf(schema: Schema, value: Value): Value | undefined {
  switch (schema.type) {
    case 'struct':
      return isMap(value) ? structOf(schema, value) : value;
    case 'list':
      if (!isList(value)) return value;
      return value.length === 0 ? undefined : value.map(item => keptOf(schema.items, item) ?? item);
    case 'map':
      if (!isMap(value)) return value;
      return value.size === 0 ? undefined : new Map([...value].map(([key, item]) => [key, entryOf(schema.values, item)]));
    default:
      return value;
  }
}

/** Returns a map entry; absent bytes become empty ones. */
function entryOf(schema: Schema, item: Value): Value {
  if (item === null && schema.type === 'leaf' && schema.leaf === 'bytes') return '';
  return keptOf(schema, item) ?? item;
}
