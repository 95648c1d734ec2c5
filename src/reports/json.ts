import { readUnstructured } from '../encoding/unstructured.js';
import { goFloat } from '../go/json/write.js';
import { isList, isMap, isRawJson, type Value } from '../go/value.js';

/** A value as indented JSON for people and programs; members in their order, whole numbers to the digit. No newline at the end. */
export function writeIndented(value: Value, indent = ''): string {
  if (isRawJson(value)) return writeIndented(readUnstructured(value.rawJson), indent);
  const inner = `${indent}  `;
  if (isMap(value)) {
    const members = [...value].map(([key, member]) => `${inner}${JSON.stringify(key)}: ${writeIndented(member, inner)}`);
    return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
  }
  if (isList(value)) {
    return value.length === 0 ? '[]' : `[\n${value.map(item => inner + writeIndented(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' ? goFloat(value) : String(value);
}
