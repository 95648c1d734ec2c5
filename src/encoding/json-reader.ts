import type { JsonMember, JsonNode } from './json-node.js';
import { unexpectedCharacter, unexpectedEnd } from './json-syntax-error.js';
import { endOfLiteral, endOfNumber, readJsonString, skipWhitespace } from './json-tokens.js';

export type { JsonArray, JsonLiteral, JsonMember, JsonNode, JsonNumber, JsonObject, JsonString } from './json-node.js';
export { JsonSyntaxError } from './json-syntax-error.js';

/**
 * Reads JSON text as strictly as Go does. Throws JsonSyntaxError with Go's words. Goes no deeper than 10000 levels, and needs
 * no stack for them. Source: encoding/json scanner.go (sigs.k8s.io/json has the same scanner).
 */
export function readJson(text: string): JsonNode {
  const { node, end } = readValue(text, 0);
  const after = skipWhitespace(text, end);
  if (after < text.length) throw unexpectedCharacter(text, after, 'after top-level value');
  return node;
}

/** Reads the first JSON value at or after an offset and says where it ends; what follows is not looked at. */
export function readValue(text: string, from: number): { readonly node: JsonNode; readonly end: number } {
  const open: Open[] = [];
  let at = from;
  let node: JsonNode | undefined;
  for (;;) {
    at = skipWhitespace(text, at);
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) {
      if (open.length === maximumDepth) throw unexpectedCharacter(text, at, 'exceeded max depth');
      const opened: Open = code === 0x7b ? { start: at, members: [], key: '', keyStart: 0 } : { start: at, items: [] };
      at = skipWhitespace(text, at + 1);
      if (text.charCodeAt(at) !== (code === 0x7b ? 0x7d : 0x5d)) {
        open.push(opened);
        if ('members' in opened) at = readKey(text, at, opened);
        continue;
      }
      at += 1;
      node = closed(opened, at);
    } else {
      node = readScalar(text, at);
      at = node.end;
    }
    const more = closeAround(text, at, { open, node });
    if (more.node !== undefined) return { node: more.node, end: more.at };
    at = more.at;
  }
}

/** Depth of nesting that Go accepts. */
const maximumDepth = 10000;

type Open = OpenObject | OpenArray;

interface OpenObject {
  readonly start: number;
  readonly members: JsonMember[];
  key: string;
  keyStart: number;
}

interface OpenArray {
  readonly start: number;
  readonly items: JsonNode[];
}

function closed(container: Open, end: number): JsonNode {
  if ('members' in container) return { type: 'object', start: container.start, end, members: container.members };
  return { type: 'array', start: container.start, end, items: container.items };
}

/** Puts a value that has ended into what is open around it, closes what ends there, and stops where the next value begins. */
function closeAround(text: string, end: number, state: { open: Open[]; node: JsonNode }): { at: number; node?: JsonNode } {
  const { open } = state;
  let { node } = state;
  let at = end;
  for (;;) {
    const around = open.at(-1);
    if (around === undefined) return { at, node };
    const inObject = 'members' in around;
    if (inObject) around.members.push({ key: around.key, keyStart: around.keyStart, value: node });
    else around.items.push(node);
    at = skipWhitespace(text, at);
    const code = text.charCodeAt(at);
    if (code === 0x2c) {
      if (inObject) return { at: readKey(text, skipWhitespace(text, at + 1), around) };
      return { at: at + 1 };
    }
    if (code !== (inObject ? 0x7d : 0x5d)) {
      if (at >= text.length) throw unexpectedEnd(text);
      throw unexpectedCharacter(text, at, inObject ? 'after object key:value pair' : 'after array element');
    }
    at += 1;
    open.pop();
    node = closed(around, at);
  }
}

/** Reads a key and the colon behind it into the object it belongs to; answers where the value begins. */
function readKey(text: string, at: number, object: OpenObject): number {
  if (at >= text.length) throw unexpectedEnd(text);
  if (text.charCodeAt(at) !== 0x22) throw unexpectedCharacter(text, at, 'looking for beginning of object key string');
  const { value, end } = readJsonString(text, at);
  object.key = value;
  object.keyStart = at;
  const colon = skipWhitespace(text, end);
  if (colon >= text.length) throw unexpectedEnd(text);
  if (text.charCodeAt(colon) !== 0x3a) throw unexpectedCharacter(text, colon, 'after object key');
  return colon + 1;
}

function readScalar(text: string, at: number): JsonNode {
  const first = text[at];
  switch (first) {
    case '"': {
      const { value, end } = readJsonString(text, at);
      return { type: 'string', start: at, end, value };
    }
    case 't':
      return { type: 'literal', start: at, end: endOfLiteral(text, at, 'true'), value: true };
    case 'f':
      return { type: 'literal', start: at, end: endOfLiteral(text, at, 'false'), value: false };
    case 'n':
      return { type: 'literal', start: at, end: endOfLiteral(text, at, 'null'), value: null };
    case undefined:
      throw unexpectedEnd(text);
    default: {
      if (first !== '-' && (first < '0' || first > '9')) throw unexpectedCharacter(text, at, 'looking for beginning of value');
      const end = endOfNumber(text, at);
      return { type: 'number', start: at, end, text: text.slice(at, end) };
    }
  }
}
