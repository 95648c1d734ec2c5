import type { Schema, StructSchema } from '../../kubernetes/schema.js';
import { isList, isMap, type Value, type ValueMap } from '../../kubernetes/value.js';
import { zeroTimeText } from './leaf-text.js';

/**
 * Gives a stored object back the times that are there and zero. Go prints them as `null`, like ones that are not there, but leaves the latter
 * out where it may: a `null` that an answer of the API server shows there is a zero time. Changes `read`.
 */
export function restoreZeroTimes(read: ValueMap, shown: ValueMap, schema: StructSchema): void {
  for (const [name, member] of shown) {
    const field = schema.fieldsByName.get(name);
    if (field === undefined) continue;
    const isTime = field.schema.type === 'leaf' && (field.schema.leaf === 'time' || field.schema.leaf === 'microtime');
    if (isTime && member === null && field.pointer && field.omitEmpty) read.set(name, zeroTimeText);
    else restoreWithin(read.get(name), member, field.schema);
  }
}

function restoreWithin(read: Value | undefined, shown: Value, schema: Schema): void {
  if (schema.type === 'struct' && isMap(read) && isMap(shown)) restoreZeroTimes(read, shown, schema);
  else if (schema.type === 'list' && isList(read) && isList(shown))
    for (const [index, item] of shown.entries()) restoreWithin(read[index], item, schema.items);
}
