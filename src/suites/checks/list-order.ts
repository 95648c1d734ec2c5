import { compareKeys, writeValue } from '../../go/json/write.js';
import { isList, isMap, stringAt, type Value } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { FieldSchema, Schema } from '../../kubernetes/schema.js';
import { kindOf } from '../../kubernetes/storage.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';

/**
 * Sorts the items of the object's keyed lists by their keys: objects that differ only in this order are equivalent to Kubernetes. Init
 * containers keep their order, which is the order of execution. Custom resources keep theirs, because the meaning of their lists is
 * unknown.
 */
export function withoutListOrder(server: ApiServer, object: Value | undefined): Value | undefined {
  const schema = isMap(object) ? schemaOfKind(server, kindOf(object)) : undefined;
  return object === undefined || schema === undefined ? object : ordered(object, schema);
}

function ordered(value: Value, schema: Schema, field?: FieldSchema): Value {
  if (isMap(value) && schema.type === 'struct') {
    return new Map(
      [...value].map(([key, member]) => {
        const known = schema.fieldsByName.get(key);
        return [key, known === undefined ? member : ordered(member, known.schema, known)];
      }),
    );
  }
  if (isMap(value) && schema.type === 'map') return new Map([...value].map(([key, member]) => [key, ordered(member, schema.values)]));
  if (!isList(value) || schema.type !== 'list') return value;
  const items = value.map(item => ordered(item, schema.items));
  const key = field?.name === 'initContainers' ? undefined : field?.patchMergeKey;
  return key === undefined ? items : items.sort((a, b) => compareKeys(keyOf(a, key), keyOf(b, key)));
}

function keyOf(item: Value, key: string): string {
  return `${stringAt(item, key)} ${writeValue(item, 'sorted')}`;
}
