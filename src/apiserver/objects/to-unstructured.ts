import { readNumber, readUnstructured } from '../../encoding/unstructured.js';
import { compareKeys, goFloat, writeValue } from '../../go/json/write.js';
import { wellFormed } from '../../go/utf8.js';
import { isList, isMap, isRawJson, type Value, type ValueMap } from '../../go/value.js';
import type { LeafSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { zeroTimeText } from './leaf-text.js';
import { writtenFields, writtenValue } from './written-field.js';

/**
 * The value of a Go struct without its type: what reading the JSON that Go writes of it would give, fields in the order of their declaration.
 * Shares nothing that can change. Source: apimachinery runtime/converter.go ToUnstructured.
 */
export function toUnstructured(value: ValueMap, schema: StructSchema): ValueMap {
  const out: ValueMap = new Map();
  for (const field of writtenFields(schema)) {
    const held = value.get(field.name);
    if (held === undefined && field.whenAbsent === undefined) continue;
    const written = writtenValue(field, held);
    if (written !== undefined) out.set(field.name, untyped(written, field.schema));
  }
  return out;
}

function untyped(value: Value, schema: Schema): Value {
  switch (schema.type) {
    case 'struct':
      return isMap(value) ? toUnstructured(value, schema) : null;
    case 'list':
      return isList(value) ? value.map(item => untyped(item, schema.items)) : null;
    case 'map':
      return isMap(value) ? untypedMap(value, schema.values) : null;
    default:
      return untypedLeaf(value, schema);
  }
}

function untypedMap(map: ValueMap, values: Schema): ValueMap {
  const out: ValueMap = new Map();
  for (const key of [...map.keys()].sort(compareKeys)) out.set(wellFormed(key), untyped(map.get(key) ?? null, values));
  return out;
}

function untypedLeaf(value: Value, { leaf, of }: LeafSchema): Value {
  if (typeof value === 'string') return value === zeroTimeText && (leaf === 'time' || leaf === 'microtime') ? null : wellFormed(value);
  // A float64 without a fraction is read as an integer.
  if (typeof value === 'number') return readNumber(goFloat(value));
  if (isMap(value) && of?.type === 'struct') return toUnstructured(value, of);
  if (isList(value) && isMap(value[0]) && of !== undefined) return value.map(item => untyped(item, of));
  if (isMap(value) || isList(value)) return readUnstructured(writeValue(value, 'sorted'));
  return isRawJson(value) ? readUnstructured(value.rawJson) : value;
}
