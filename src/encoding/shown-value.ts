import { writeValue } from '../go/json/write.js';
import { isList, isMap, type Value } from '../go/value.js';
import type { BadValue } from '../kubernetes/field-error.js';

/** Returns a value as field errors show it: leaves as they are, anything else as JSON. */
export function shownValue(value: Value): BadValue {
  return isMap(value) || isList(value) ? { rawJson: writeValue(value, 'sorted') } : value;
}
