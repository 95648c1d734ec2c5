import { writeValue } from '../../../encoding/go-json.js';
import type { BadValue } from '../../../kubernetes/field-error.js';
import { isList, isMap, type Value } from '../../../kubernetes/value.js';

/** `spec.name`; without a parent, the name alone. Source: apimachinery field.Path Child. */
export function childPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

/** `spec.labels[key]`. Source: apimachinery field.Path Key. */
export function keyPath(parent: string, key: string): string {
  return `${parent}[${key}]`;
}

/** A value as field errors show it: leaves as they are, anything bigger as JSON. */
export function shownValue(value: Value): BadValue {
  return isMap(value) || isList(value) ? { rawJson: writeValue(value, 'sorted') } : value;
}
