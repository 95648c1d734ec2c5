import type { BadValue } from '../kubernetes/field-error.js';
import { isList, isMap, type Value } from '../kubernetes/value.js';
import { writeValue } from './go-json.js';

/** A value as field errors show it: leaves as they are, anything bigger as JSON. */
export function shownValue(value: Value): BadValue {
  return isMap(value) || isList(value) ? { rawJson: writeValue(value, 'sorted') } : value;
}
