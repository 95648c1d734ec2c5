import type { JsonMember, JsonNode } from '../go/json/node.js';
import { readValue } from '../go/json/reader.js';
import { unexpectedCharacter, unexpectedEndOfJson } from '../go/json/syntax-error.js';
import { readJsonString, skipWhitespace } from '../go/json/tokens.js';
import { sharedGetters } from '../go/shared-getters.js';

/**
 * Parses JSON like `readJson`, but objects and lists of the first levels only on access, and every time: only the accessed part of a
 * document of many megabytes is in memory. Throws JsonSyntaxError, partly on access.
 */
export function readShallowJson(text: string, levels: number): JsonNode {
  const { node, end } = shallowValue(text, skipWhitespace(text, 0), levels);
  const after = skipWhitespace(text, end);
  if (after < text.length) throw unexpectedCharacter(text, after, 'after top-level value');
  return node;
}

function shallowValue(text: string, at: number, levels: number): { readonly node: JsonNode; readonly end: number } {
  const first = text[at];
  if (levels === 0 || (first !== '{' && first !== '[')) return readValue(text, at);
  const end = endOfContainer(text, at);
  const range = { text, start: at, end };
  const node: JsonNode =
    first === '{'
      ? withMembers({ type: 'object', start: at, end }, { members: () => membersOf(range, levels - 1) })
      : withItems({ type: 'array', start: at, end }, { items: () => itemsOf(range, levels - 1) });
  return { node, end };
}

const withMembers = sharedGetters<Pick<Extract<JsonNode, { type: 'object' }>, 'members'>>('members');
const withItems = sharedGetters<Pick<Extract<JsonNode, { type: 'array' }>, 'items'>>('items');

interface Range {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function membersOf(range: Range, levels: number): JsonMember[] {
  const { text } = range;
  const members: JsonMember[] = [];
  eachPart(range, at => {
    if (text[at] !== '"') throw unexpectedCharacter(text, at, 'looking for beginning of object key string');
    const { value: key, end: afterKey } = readJsonString(text, at);
    const colon = skipWhitespace(text, afterKey);
    if (text[colon] !== ':') throw unexpectedCharacter(text, colon, 'after object key');
    const { node, end } = shallowValue(text, skipWhitespace(text, colon + 1), levels);
    members.push({ key, keyStart: at, value: node });
    return end;
  });
  return members;
}

function itemsOf(range: Range, levels: number): JsonNode[] {
  const items: JsonNode[] = [];
  eachPart(range, at => {
    const { node, end } = shallowValue(range.text, at, levels);
    items.push(node);
    return end;
  });
  return items;
}

/** Parses the parts of a container between its commas, each with a function that returns its end. */
function eachPart({ text, start, end }: Range, read: (at: number) => number): void {
  const last = end - 1;
  let at = skipWhitespace(text, start + 1);
  if (at === last) return;
  for (;;) {
    at = skipWhitespace(text, read(at));
    if (at === last) return;
    if (text[at] !== ',') throw unexpectedCharacter(text, at, contextIn(text[start]));
    at = skipWhitespace(text, at + 1);
  }
}

function contextIn(opening: string | undefined): string {
  return opening === '{' ? 'after object key:value pair' : 'after array element';
}

const bracketOrString = /["{}[\]]/g;

/** Returns the offset after the closing bracket; the contents are not parsed. */
function endOfContainer(text: string, start: number): number {
  let depth = 0;
  let at = start;
  for (;;) {
    bracketOrString.lastIndex = at;
    const found = bracketOrString.exec(text);
    if (found === null) throw unexpectedEndOfJson(text);
    const [character] = found;
    if (character === '"') {
      at = endOfString(text, found.index + 1);
      continue;
    }
    depth += character === '{' || character === '[' ? 1 : -1;
    at = found.index + 1;
    if (depth > 0) continue;
    if (character !== (text[start] === '{' ? '}' : ']')) throw unexpectedCharacter(text, found.index, contextIn(text[start]));
    return at;
  }
}

/** Returns the offset after the closing quote of a string that starts before an offset. */
function endOfString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  throw unexpectedEndOfJson(text);
}
