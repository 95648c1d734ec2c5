import type { JsonMember, JsonNode } from './node.js';
import { type JsonSyntaxError, unexpectedCharacter, unexpectedEndOfJson } from './syntax-error.js';
import { endOfLiteral, endOfNumber, readJsonString, skipWhitespace } from './tokens.js';

export type { JsonArray, JsonLiteral, JsonMember, JsonNode, JsonNumber, JsonObject, JsonString } from './node.js';
export { JsonSyntaxError } from './syntax-error.js';

/**
 * Parses JSON as strictly as Go. Throws JsonSyntaxError with Go's message. Max depth is 10000, without recursion. Source: encoding/json
 * scanner.go (sigs.k8s.io/json has the same scanner).
 */
export function readJson(text: string): JsonNode {
  const { node, end } = readValue(text, 0);
  const after = skipWhitespace(text, end);
  if (after < text.length) throw unexpectedCharacter(text, after, 'after top-level value');
  return node;
}

/**
 * Parses the first JSON value at or after an offset and returns its end; the text after it is ignored. Every body is parsed here, mostly
 * without white space: one loop, which calls nothing for white space that is not there.
 */
export function readValue(text: string, from: number): { readonly node: JsonNode; readonly end: number } {
  const open: Open[] = [];
  let around: Open | undefined;
  let at = from;
  for (;;) {
    if (!(text.charCodeAt(at) > 0x20)) at = skipWhitespace(text, at);
    const code = text.charCodeAt(at);
    let node: JsonNode;
    if (code === 0x7b || code === 0x5b) {
      if (open.length === maximumDepth) throw unexpectedCharacter(text, at, 'exceeded max depth');
      const opened = openedBy(code, at);
      at = skipWhitespace(text, at + 1);
      if (text.charCodeAt(at) !== opened.closing) {
        open.push(opened);
        around = opened;
        if (opened.type === 'object') at = readKey(text, at, opened);
        continue;
      }
      at += 1;
      node = closed(opened, at);
    } else {
      node = readScalar(text, at);
      at = node.end;
    }
    // The end of a value may also be the end of its containers.
    for (;;) {
      if (around === undefined) return { node, end: at };
      if (around.type === 'object') around.members.push({ key: around.key, keyStart: around.keyStart, value: node });
      else around.items.push(node);
      if (!(text.charCodeAt(at) > 0x20)) at = skipWhitespace(text, at);
      const next = text.charCodeAt(at);
      if (next !== 0x2c && next !== around.closing) throw badEnd(text, at, around);
      at += 1;
      if (next === 0x2c) break;
      open.pop();
      node = closed(around, at);
      around = open.at(-1);
    }
    if (around.type === 'object') at = readKey(text, at, around);
  }
}

/** Max nesting in Go. */
const maximumDepth = 10000;

/** Container that has not ended. */
type Open = OpenObject | OpenArray;

interface OpenObject {
  readonly type: 'object';
  readonly start: number;
  readonly closing: 0x7d;
  readonly members: JsonMember[];
  /** Key of the next value. */
  key: string;
  keyStart: number;
}

interface OpenArray {
  readonly type: 'array';
  readonly start: number;
  readonly closing: 0x5d;
  readonly items: JsonNode[];
}

function openedBy(code: 0x7b | 0x5b, start: number): Open {
  if (code === 0x7b) return { type: 'object', start, closing: 0x7d, members: [], key: '', keyStart: 0 };
  return { type: 'array', start, closing: 0x5d, items: [] };
}

function closed(container: Open, end: number): JsonNode {
  const { start } = container;
  if (container.type === 'object') return { type: 'object', start, end, members: container.members };
  return { type: 'array', start, end, items: container.items };
}

/** Returns the error for a character that neither continues nor ends a container. */
function badEnd(text: string, at: number, { type }: Open): JsonSyntaxError {
  if (at >= text.length) return unexpectedEndOfJson(text);
  return unexpectedCharacter(text, at, type === 'object' ? 'after object key:value pair' : 'after array element');
}

/** Parses a key and its colon into an object and returns the start of the value. */
function readKey(text: string, from: number, object: OpenObject): number {
  const at = skipWhitespace(text, from);
  if (at >= text.length) throw unexpectedEndOfJson(text);
  if (text.charCodeAt(at) !== 0x22) throw unexpectedCharacter(text, at, 'looking for beginning of object key string');
  const { value, end } = readJsonString(text, at);
  object.key = value;
  object.keyStart = at;
  if (text.charCodeAt(end) === 0x3a) return end + 1;
  const colon = skipWhitespace(text, end);
  if (colon >= text.length) throw unexpectedEndOfJson(text);
  if (text.charCodeAt(colon) !== 0x3a) throw unexpectedCharacter(text, colon, 'after object key');
  return colon + 1;
}

function readScalar(text: string, at: number): JsonNode {
  if (text.charCodeAt(at) === 0x22) {
    const { value, end } = readJsonString(text, at);
    return { type: 'string', start: at, end, value };
  }
  const first = text[at];
  switch (first) {
    case 't':
      return { type: 'literal', start: at, end: endOfLiteral(text, at, 'true'), value: true };
    case 'f':
      return { type: 'literal', start: at, end: endOfLiteral(text, at, 'false'), value: false };
    case 'n':
      return { type: 'literal', start: at, end: endOfLiteral(text, at, 'null'), value: null };
    case undefined:
      throw unexpectedEndOfJson(text);
    default: {
      if (first !== '-' && (first < '0' || first > '9')) throw unexpectedCharacter(text, at, 'looking for beginning of value');
      const end = endOfNumber(text, at);
      return { type: 'number', start: at, end, text: text.slice(at, end) };
    }
  }
}
