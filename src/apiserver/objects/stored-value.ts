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
  return copyToStore(value, codec).stored;
}

/** A copy as storage has it. */
export interface StoredCopy {
  readonly stored: ValueMap;
  /** Whether it is known to equal the object. */
  readonly isWhole: boolean;
  /** Whether it has empty bytes, which protobuf keeps, but JSON omits like absent ones. */
  readonly hasEmptyBytes: boolean;
}

/** Returns the same copy with what is known of it. */
export function copyToStore(value: ValueMap, codec: Codec): StoredCopy {
  const schema = schemaOfKind(codec.server, codec.kind);
  if (schema === undefined) return { stored: value, isWhole: false, hasEmptyBytes: false };
  if (codec.server.storageFactory.isStoredAsJson(codec.kind.group))
    return { stored: codec.decode(codec.encode(value)).value, isWhole: false, hasEmptyBytes: false };
  const notes = { losses: 0, hasEmptyBytes: false };
  const stored = structOf(schema, value, notes);
  return { stored, isWhole: notes.losses === 0, hasEmptyBytes: notes.hasEmptyBytes };
}

/** What is found while an object is copied. */
interface CopyNotes {
  /** Number of values that storage does not keep as they are. */
  losses: number;
  hasEmptyBytes: boolean;
}

function structOf(schema: StructSchema, value: ValueMap, notes: CopyNotes): ValueMap {
  const kept: ValueMap = new Map();
  for (const [name, member] of value) {
    const field = schema.fieldsByName.get(name);
    const stored = field === undefined ? member : keptOf(field.schema, member, notes);
    if (stored !== undefined) kept.set(name, stored);
  }
  return kept;
}

/** Returns the stored form of a value; undefined when it is not stored. */
function keptOf(schema: Schema, value: Value, notes: CopyNotes): Value | undefined {
  switch (schema.type) {
    case 'struct':
      return isMap(value) ? structOf(schema, value, notes) : value;
    case 'list':
      return isList(value) ? itemsOf(schema.items, value, notes) : value;
    case 'map':
      return isMap(value) ? entriesOf(schema.values, value, notes) : value;
    default:
      if (value === '' && schema.type === 'leaf' && schema.leaf === 'bytes') notes.hasEmptyBytes = true;
      return value;
  }
}

function itemsOf(schema: Schema, list: readonly Value[], notes: CopyNotes): Value[] | undefined {
  if (list.length === 0) notes.losses += 1;
  else if (schema.type === 'leaf') return [...list];
  else return list.map(item => keptOf(schema, item, notes) ?? item);
  return undefined;
}

function entriesOf(schema: Schema, map: ValueMap, notes: CopyNotes): ValueMap | undefined {
  if (map.size === 0) {
    notes.losses += 1;
    return undefined;
  }
  const kept: ValueMap = new Map();
  for (const [key, item] of map) kept.set(key, entryOf(schema, item, notes));
  return kept;
}

/** Returns a map entry; absent bytes become empty ones. */
function entryOf(schema: Schema, item: Value, notes: CopyNotes): Value {
  if (item === null && schema.type === 'leaf' && schema.leaf === 'bytes') {
    notes.losses += 1;
    return '';
  }
  return keptOf(schema, item, notes) ?? item;
}
