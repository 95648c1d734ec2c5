import { isList, isMap, sameValue, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { sameQuantity } from '../../kubernetes/quantity.js';
import type { FieldSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import type { Codec } from './codec.js';
import { zeroValue } from './zero-value.js';

/**
 * Reports semantic equality: lists and maps may be nil or empty, quantities are compared by value, times by instant; a pointer to a zero
 * value differs from nil. Custom resources must be deeply equal. Source: apimachinery equality.Semantic.DeepEqual.
 */
export function semanticallyEqual(server: ApiServer, a: ValueMap, b: ValueMap, codec: Pick<Codec, 'kind'>): boolean {
  const schema = schemaOfKind(server, codec.kind);
  return schema === undefined ? sameValue(a, b) : equalStructs(a, b, schema);
}

/** Reports semantic equality of values of any type of the table. */
export function semanticallyEqualAs(schema: Schema, a: Value | undefined, b: Value | undefined): boolean {
  return equalOf(schema, a ?? zeroValue(schema, false), b ?? zeroValue(schema, false));
}

function equalStructs(a: ValueMap, b: ValueMap, schema: StructSchema): boolean {
  for (const [name, member] of a) {
    const field = schema.fieldsByName.get(name);
    if (field !== undefined && !equalFields(field, member, b.get(name))) return false;
  }
  for (const [name, member] of b) {
    const field = a.has(name) ? undefined : schema.fieldsByName.get(name);
    if (field !== undefined && !equalFields(field, undefined, member)) return false;
  }
  return true;
}

function equalFields({ schema, pointer }: FieldSchema, a: Value | undefined, b: Value | undefined): boolean {
  return equalOf(schema, a ?? zeroValue(schema, pointer), b ?? zeroValue(schema, pointer));
}

function equalOf(schema: Schema, a: Value, b: Value): boolean {
  if (a === b) return true;
  if (schema.type === 'list') return equalLists(schema.items, isList(a) ? a : [], isList(b) ? b : []);
  if (schema.type === 'map') return equalMaps(schema.values, isMap(a) ? a : new Map(), isMap(b) ? b : new Map());
  if (schema.type === 'leaf' && schema.leaf === 'bytes') return (a ?? '') === (b ?? '');
  if (a === null || b === null) return a === b;
  if (schema.type === 'struct') return isMap(a) && isMap(b) && equalStructs(a, b, schema);
  if (schema.leaf === 'quantity') return typeof a === 'string' && typeof b === 'string' && sameQuantity(a, b);
  if (schema.of?.type === 'struct') return equalAlternatives(schema.of, a, b);
  return sameValue(a, b);
}

function equalAlternatives(of: StructSchema, a: Value, b: Value): boolean {
  if (isMap(a) && isMap(b)) return equalStructs(a, b, of);
  if (isList(a) && isList(b) && isMap(a[0])) return equalLists(of, a, b);
  return sameValue(a, b);
}

function equalLists(items: Schema, a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((item, i) => equalOf(items, item, b[i] ?? null));
}

function equalMaps(values: Schema, a: ReadonlyMap<string, Value>, b: ReadonlyMap<string, Value>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !equalOf(values, value, other)) return false;
  }
  return true;
}
