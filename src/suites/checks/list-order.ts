import { compareKeys, writeValue } from '../../go/json/write.js';
import { isList, isMap, stringAt, type Value } from '../../go/value.js';
import type { FieldSchema, Schema } from '../../kubernetes/schema.js';
import { kindOf } from '../../kubernetes/storage.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';

/**
 * The object with the items of its keyed lists in the order of their keys: two that differ in nothing else mean the same to Kubernetes.
 * Init containers stay as they are: they run in their order. Custom resources stay as they are, too: what a list of theirs means nobody says.
 */
export function withoutListOrder(object: Value | undefined): Value | undefined {
  const schema = isMap(object) ? schemaOfKind(kindOf(object)) : undefined;
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
