import type { JsonNode } from '../go/json/node.js';
import { readJson } from '../go/json/reader.js';
import { JsonSyntaxError } from '../go/json/syntax-error.js';
import { compareKeys } from '../go/key-order.js';
import { isMap, type Value, type ValueMap } from '../go/value.js';

/**
 * Returns the object of a YAML text that is JSON in one line, as clients write it: what `readUnstructured` returns for the text of `yamlToJson`, with sorted keys.
 * Undefined for other texts, and for JSON that YAML may read otherwise: with escapes, duplicate keys, other numbers than integers, very long keys, deep nesting.
 */
export function objectOfJsonLine(text: string): ValueMap | undefined {
  if (!jsonLine.test(text)) return undefined;
  try {
    const value = valueOfNode(readJson(text), 0);
    return isMap(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** An object of printable ASCII without escapes. */
const jsonLine = /^\{[\x20-\x5b\x5d-\x7e]*\}\n?$/;
/** A double represents it, and no YAML reads it as another number. */
const shortInteger = /^(?:0|-?[1-9]\d{0,14})$/;
/** YAML limits keys to 1024 characters. */
const maxKeyLength = 500;
const maxDepth = 100;

/** Returns the value; undefined where YAML may differ. */
function valueOfNode(node: JsonNode, depth: number): Value | undefined {
  switch (node.type) {
    case 'object':
      return depth > maxDepth ? undefined : mapOf(node, depth);
    case 'array': {
      const list: Value[] = [];
      for (const item of node.items) {
        const value = depth > maxDepth ? undefined : valueOfNode(item, depth + 1);
        if (value === undefined) return undefined;
        list.push(value);
      }
      return list;
    }
    case 'number':
      return shortInteger.test(node.text) ? BigInt(node.text) : undefined;
    default:
      return node.value;
  }
}

function mapOf({ members }: JsonNode & { readonly type: 'object' }, depth: number): ValueMap | undefined {
  const map: ValueMap = new Map();
  let isSorted = true;
  let last: string | undefined;
  for (const { key, value: node } of members) {
    const value = valueOfNode(node, depth + 1);
    if (value === undefined || map.has(key) || key === '<<' || key.length > maxKeyLength) return undefined;
    isSorted &&= last === undefined || compareKeys(last, key) < 0;
    last = key;
    map.set(key, value);
  }
  return isSorted ? map : new Map([...map].sort(([a], [b]) => compareKeys(a, b)));
}
