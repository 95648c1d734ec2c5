import { goFloat } from '../go/json/write.js';
import { compareKeys } from '../go/key-order.js';
import type { Value, ValueMap } from '../go/value.js';
import { readNumber } from './unstructured.js';
import { decodeScalarKey } from './yaml/jsonable.js';
import type { MappingNode, YamlNode, YamlScalarNode } from './yaml/nodes.js';
import { isMergeKey, resolveScalar } from './yaml/resolve.js';

/**
 * Returns the value that the JSON of a document has, with sorted keys, without writing and reading that JSON: most of the time of reading a
 * manifest. Undefined for a document with tags, aliases, merge keys, duplicate keys, infinities or deep nesting, whose rules are in
 * `decodeNode`. The text must be without surrogates.
 */
export function commonValueOf(node: YamlNode): Value | undefined {
  return valueWithin(node, 0);
}

/** Max nesting, because this is recursive. */
const maximumDepth = 100;

function valueWithin(node: YamlNode, depth: number): Value | undefined {
  if (node.kind === 'scalar') return scalarValue(node);
  if (node.kind === 'alias' || depth > maximumDepth) return undefined;
  if (node.kind === 'mapping') return mapOf(node, depth);
  const list: Value[] = [];
  for (const item of node.items) {
    const value = valueWithin(item, depth + 1);
    if (value === undefined) return undefined;
    list.push(value);
  }
  return list;
}

function mapOf({ pairs }: MappingNode, depth: number): ValueMap | undefined {
  const map: ValueMap = new Map();
  let isSorted = true;
  let last: string | undefined;
  for (const { key, value: node } of pairs) {
    const text = key.kind !== 'scalar' || key.tag !== '' || isMergeKey(key) ? undefined : decodeScalarKey(key);
    const value = valueWithin(node, depth + 1);
    if (text === undefined || value === undefined || map.has(text)) return undefined;
    isSorted &&= last === undefined || compareKeys(last, text) < 0;
    last = text;
    map.set(text, value);
  }
  return isSorted ? map : new Map([...map].sort(([a], [b]) => compareKeys(a, b)));
}

function scalarValue(node: YamlScalarNode): Value | undefined {
  if (node.tag !== '') return undefined;
  const value = resolveScalar(node);
  if (typeof value === 'bigint') return readNumber(String(value));
  if (typeof value !== 'number') return value;
  return Number.isFinite(value) ? readNumber(goFloat(value)) : undefined;
}
