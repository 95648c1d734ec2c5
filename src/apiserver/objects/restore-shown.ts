import { goFloat, writeValue } from '../../go/json/write.js';
import { isList, isMap, isRawJson, type Value, type ValueMap } from '../../go/value.js';
import type { LeafSchema, Schema, StructSchema } from '../../kubernetes/schema.js';
import { zeroTimeText } from './leaf-text.js';

/**
 * Restores in a stored object what decoding an API server's answer would lose. Changes `read`. Zero times that are set: Go prints them as
 * `null`, like nil ones, but omits the latter where allowed. Decimal points of whole numbers in raw JSON (`1.0`), which is kept as sent.
 */
export function restoreShown(read: ValueMap, shown: ValueMap, schema: StructSchema): void {
  for (const [name, member] of shown) {
    const field = schema.fieldsByName.get(name);
    if (field === undefined) continue;
    const leaf = field.schema.type === 'leaf' ? field.schema.leaf : undefined;
    const isTime = leaf === 'time' || leaf === 'microtime';
    if (isTime && member === null && field.pointer && field.omitEmpty) read.set(name, zeroTimeText);
    else if (leaf !== undefined && rawLeaves.includes(leaf) && isRawJson(read.get(name)))
      read.set(name, isRawJson(member) ? member : { rawJson: writeValue(withPoints(member), 'kept') });
    else restoreWithin(read.get(name), member, field.schema);
  }
}

const rawLeaves: readonly LeafSchema['leaf'][] = ['rawextension', 'fieldsv1', 'json'];

function restoreWithin(read: Value | undefined, shown: Value, schema: Schema): void {
  if (schema.type === 'struct' && isMap(read) && isMap(shown)) restoreShown(read, shown, schema);
  else if (schema.type === 'list' && isList(read) && isList(shown))
    for (const [index, item] of shown.entries()) restoreWithin(read[index], item, schema.items);
}

function withPoints(value: Value): Value {
  if (isMap(value)) return new Map([...value].map(([key, member]) => [key, withPoints(member)]));
  if (isList(value)) return value.map(withPoints);
  if (typeof value !== 'number') return value;
  const text = goFloat(value);
  return /^-?\d+$/.test(text) ? { rawJson: `${text}.0` } : value;
}
