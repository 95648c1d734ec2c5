import { readUnstructured } from '../encoding/unstructured.js';
import { goFloat } from '../go/json/write.js';
import { isList, isMap, isRawJson, type Value } from '../go/value.js';
import { withoutCommands } from '../writers/printable.js';

/** A value as indented JSON; members in order, integers exact. No trailing newline. */
export function writeIndented(value: Value, indent = ''): string {
  if (isRawJson(value)) return writeIndented(readUnstructured(value.rawJson), indent);
  const inner = `${indent}  `;
  if (isMap(value)) {
    const members = [...value].map(([key, member]) => `${inner}${jsonText(key)}: ${writeIndented(member, inner)}`);
    return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
  }
  if (isList(value)) {
    return value.length === 0 ? '[]' : `[\n${value.map(item => inner + writeIndented(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (typeof value === 'string') return jsonText(value);
  return typeof value === 'number' ? goFloat(value) : String(value);
}

function jsonText(text: string): string {
  return withoutCommands(JSON.stringify(text));
}
