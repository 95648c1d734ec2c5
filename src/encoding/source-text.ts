import type { JsonMember, JsonNode } from '../go/json/node.js';
import { readJson } from '../go/json/reader.js';
import { goString } from '../go/json/write.js';
import { isMap, type Value, type ValueMap } from '../go/value.js';
import { CompactObject } from './compact-object.js';
import { unstructuredOf } from './unstructured.js';

/** Text of an object, and its parsed form if that is known. */
export interface SourceText {
  readonly text: string;
  readonly node: JsonNode | undefined;
}

/** An object with its text: as a member, because an entry of a WeakMap for each object of a log costs more. */
class ObjectOfText extends Map<string, Value> {
  constructor(
    members: ValueMap,
    readonly source: SourceText,
  ) {
    super(members);
  }
}

/**
 * Reads an object that is not changed afterwards, and keeps its text if that is exactly what `writeValue` would return for it with `kept` keys: it need not
 * be written and parsed again. Undefined for a text with another value than an object. Throws JsonSyntaxError, JsonTypeError.
 */
export function readUnchanged(text: string): ValueMap | undefined {
  const node = readJson(text);
  const value = unstructuredOf(node);
  if (!isMap(value)) return undefined;
  return node.start === 0 && node.end === text.length && isAsWritten(text, node) ? new ObjectOfText(value, { text, node }) : value;
}

/** Returns the text of an object that was read by `readUnchanged`, or that is compact; undefined if it has to be written. */
export function sourceTextOf(object: ValueMap): SourceText | undefined {
  if (object instanceof ObjectOfText) return object.source;
  const text = object instanceof CompactObject ? object.text : undefined;
  return text === undefined ? undefined : { text, node: undefined };
}

/** Is the text compact, without duplicate keys, and with all strings and numbers as Go writes them? Does not recurse. */
function isAsWritten(text: string, root: JsonNode): boolean {
  if (otherwiseWritten.test(text)) return false;
  const open: JsonNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'object') {
      if (!hasWrittenKeys(text, node.members) || !isCompact(node)) return false;
      for (const { value } of node.members) open.push(value);
    } else if (node.type === 'array') {
      if (!isCompact(node)) return false;
      for (const item of node.items) open.push(item);
    } else if (node.type === 'number') {
      if (!writtenInteger.test(node.text)) return false;
    } else if (node.type === 'string' && node.end - node.start !== node.value.length + 2) {
      if (text.slice(node.start, node.end) !== goString(node.value)) return false;
    }
  }
  return true;
}

/** Characters that Go escapes, and those of which JavaScript needs two. */
const otherwiseWritten = /[<>&\u2028\u2029\ud800-\udfff]/;

/** Fits into an int64. */
const writtenInteger = /^(?:0|-?[1-9]\d{0,17})$/;

/** Are the keys different, and directly before their values? Those of managed fields have escapes. */
function hasWrittenKeys(text: string, members: readonly JsonMember[]): boolean {
  for (const { key, keyStart, value } of members)
    if (value.start !== keyStart + key.length + 3 && text.slice(keyStart, value.start) !== `${goString(key)}:`) return false;
  if (members.length > fewMembers) return new Set(members.map(({ key }) => key)).size === members.length;
  for (let i = 1; i < members.length; i += 1) for (let k = 0; k < i; k += 1) if (members[k]?.key === members[i]?.key) return false;
  return true;
}

const fewMembers = 16;

/** Do members or items follow each other with nothing but a comma between them? */
function isCompact(node: JsonNode & { readonly type: 'object' | 'array' }): boolean {
  let at = node.start + 1;
  if (node.type === 'object') {
    for (const { keyStart, value } of node.members) {
      if (keyStart !== at) return false;
      at = value.end + 1;
    }
    return node.end === (node.members.length === 0 ? at + 1 : at);
  }
  for (const item of node.items) {
    if (item.start !== at) return false;
    at = item.end + 1;
  }
  return node.end === (node.items.length === 0 ? at + 1 : at);
}
