import { readNumber, readUnstructured } from '../../encoding/unstructured.js';
import { compareKeys, goFloat, writeValue } from '../../go/json/write.js';
import { wellFormed } from '../../go/utf8.js';
import { isList, isMap, isRawJson, type RawJson, type Value, type ValueMap } from '../../go/value.js';
import type { LeafSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { zeroTimeText } from './leaf-text.js';
import { writtenFields, writtenFieldValue } from './written-field.js';

/**
 * Returns the value of a Go struct as untyped JSON: the result of reading what Go writes, fields in declaration order. Shares no mutable
 * values. `readRaw` reads embedded JSON. Source: apimachinery runtime/converter.go ToUnstructured.
 */
export function toUnstructured(value: ValueMap, schema: StructSchema, readRaw: ReadRaw = readAsWritten): ValueMap {
  const out: ValueMap = new Map();
  for (const field of writtenFields(schema)) {
    const held = value.get(field.name);
    if (held === undefined && field.whenAbsent === undefined) continue;
    const written = writtenFieldValue(field, held);
    if (written !== undefined) out.set(field.name, untyped(written, field.schema, readRaw));
  }
  return out;
}

type ReadRaw = (raw: RawJson) => Value;

function readAsWritten({ rawJson }: RawJson): Value {
  return readUnstructured(rawJson);
}

function untyped(value: Value, schema: Schema, readRaw: ReadRaw): Value {
  switch (schema.type) {
    case 'struct':
      return isMap(value) ? toUnstructured(value, schema, readRaw) : null;
    case 'list':
      return isList(value) ? value.map(item => untyped(item, schema.items, readRaw)) : null;
    case 'map':
      return isMap(value) ? untypedMap(value, schema.values, readRaw) : null;
    default:
      return untypedLeaf(value, schema, readRaw);
  }
}

function untypedMap(map: ValueMap, values: Schema, readRaw: ReadRaw): ValueMap {
  const out: ValueMap = new Map();
  for (const key of [...map.keys()].sort(compareKeys)) out.set(wellFormed(key), untyped(map.get(key) ?? null, values, readRaw));
  return out;
}

/** Returns the value of a leaf as untyped JSON. */
export function untypedLeaf(value: Value, { leaf, of }: LeafSchema, readRaw: ReadRaw = readAsWritten): Value {
  if (typeof value === 'string') return value === zeroTimeText && (leaf === 'time' || leaf === 'microtime') ? null : wellFormed(value);
  // A float64 without a fraction is read as an integer.
  if (typeof value === 'number') return readNumber(goFloat(value));
  if (isMap(value) && of?.type === 'struct') return toUnstructured(value, of, readRaw);
  if (isList(value) && isMap(value[0]) && of !== undefined) return value.map(item => untyped(item, of, readRaw));
  if (isMap(value) || isList(value)) return readUnstructured(writeValue(value, 'sorted'));
  return isRawJson(value) ? readRaw(value) : value;
}
