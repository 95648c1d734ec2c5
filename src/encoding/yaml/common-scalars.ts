import { atNextContent, contentFrom, isSpaceOrEnd, moveBy, NotCommon, skipSpaces } from './common-lines.js';
import type { Cursor } from './cursor.js';
import type { MappingNode, SequenceNode, YamlNode, YamlScalarNode } from './nodes.js';
import { scanBlockScalar } from './scan-block-scalar.js';
import { scanPlainScalar, scanQuotedScalar } from './scan-scalars.js';

/** Does a key of a mapping start here? The cursor is after an entry's dash. */
export function startsKey(cursor: Cursor): boolean {
  return keyEnd(cursor) >= 0;
}

/** Parses a key and its colon. Throws NotCommon where there is none. */
export function keyAt(cursor: Cursor): YamlScalarNode {
  const end = keyEnd(cursor);
  if (end < 0) throw new NotCommon();
  const { line, column, at } = cursor;
  const { text } = cursor.input;
  const quoted = isQuote(text.charCodeAt(at));
  const value = quoted ? text.slice(at + 1, end - 1) : text.slice(at, end);
  moveBy(cursor, end + 1 - at);
  return { kind: 'scalar', line, column, tag: '', value, implicit: !quoted };
}

/** Max length of a key; go-yaml's limit is 1024 characters. */
const maximumKey = 1000;

/** Returns the offset of the colon after the key at the cursor; -1 if no key is there. */
function keyEnd({ at, input: { text } }: Cursor): number {
  const first = text.charCodeAt(at);
  const end = isQuote(first) ? endOfSimpleQuoted(text, at) : endOfPlain(text, at);
  if (end < 0 || text.charCodeAt(end) !== 0x3a || !isSpaceOrEnd(text.charCodeAt(end + 1))) return -1;
  if (end - at > maximumKey || !isAscii(text, at, end)) throw new NotCommon();
  return end;
}

/**
 * Returns the end of the plain text at an offset: a colon before white space, a comment, or the end of the line; without the spaces before
 * it. -1 where no plain text starts.
 */
function endOfPlain(text: string, start: number): number {
  if (!startsPlain(text, start)) return -1;
  wordCharacters.lastIndex = start;
  let at = wordCharacters.test(text) ? wordCharacters.lastIndex : start;
  let end = at;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || Number.isNaN(code)) return end;
    if (code === 0x09) throw new NotCommon();
    if (code === 0x3a && isSpaceOrEnd(text.charCodeAt(at + 1))) {
      // White space before the colon of a key.
      if (end !== at) throw new NotCommon();
      return at;
    }
    if (code === 0x23 && end !== at) return end;
    at += 1;
    if (code !== 0x20) end = at;
  }
}

/** Common characters that never end a plain scalar. */
const wordCharacters = /[A-Za-z0-9_./-]+/y;

function startsPlain(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 0x2d || code === 0x3f || code === 0x3a) return !isSpaceOrEnd(text.charCodeAt(at + 1)) && text.charCodeAt(at + 1) !== 0x09;
  return !indicators.has(code);
}

/** Tab, , [ ] { } # & * ! | > ' " % @ and the backtick */
const indicators = new Set([...'\t,[]{}#&*!|>\'"%@`'].map(character => character.charCodeAt(0)));

/** Parses a scalar on the line of its key or entry, and goes to the next content. `indent` is the column of the block around it. */
export function inlineScalarAt(cursor: Cursor, indent: number): YamlScalarNode {
  const { line, column } = cursor;
  const code = cursor.input.text.charCodeAt(cursor.at);
  const value = isQuote(code)
    ? quotedValue(cursor, code)
    : code === 0x7c || code === 0x3e
      ? blockValue(cursor, indent, code === 0x7c)
      : plainValue(cursor, indent);
  return { kind: 'scalar', line, column, tag: '', value, implicit: !isQuote(code) && code !== 0x7c && code !== 0x3e };
}

function plainValue(cursor: Cursor, indent: number): string {
  const { text } = cursor.input;
  const { at, index, line, column } = cursor;
  const end = endOfPlain(text, at);
  if (end < 0) throw new NotCommon();
  moveBy(cursor, end - at);
  atNextContent(cursor);
  if (cursor.column <= indent) return text.slice(at, end);
  // A deeper line continues the scalar.
  Object.assign(cursor, { at, index, line, column });
  const { token, endsBelow } = scanPlainScalar(cursor, { indent, inFlow: false });
  if (!endsBelow) throw new NotCommon();
  fromLineStart(cursor);
  return token.value;
}

function blockValue(cursor: Cursor, indent: number, literal: boolean): string {
  const { value } = scanBlockScalar(cursor, indent, literal);
  fromLineStart(cursor);
  return value;
}

/** Goes to the content of the line of which a scanner has skipped some spaces; the last line may have ended without a line feed. */
function fromLineStart(cursor: Cursor): void {
  const { at, column, line, input } = cursor;
  contentFrom(cursor, at === input.text.length ? at : at - column, line);
}

function quotedValue(cursor: Cursor, quote: number): string {
  const { text } = cursor.input;
  const { at } = cursor;
  const end = endOfSimpleQuoted(text, at);
  let value: string;
  if (end < 0) {
    ({ value } = scanQuotedScalar(cursor, quote));
  } else {
    value = text.slice(at + 1, end - 1);
    moveBy(cursor, end - at);
  }
  atNextContent(cursor);
  return value;
}

/** Returns the end of a quoted scalar on one line without escapes; -1 for others. */
function endOfSimpleQuoted(text: string, at: number): number {
  const pattern = text.charCodeAt(at) === 0x22 ? simpleDouble : simpleSingle;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const simpleDouble = /"[^"\\\n]*"/y;
const simpleSingle = /'[^'\n]*'(?!')/y;

function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27;
}

export function isFlowStart({ at, input: { text } }: Cursor): boolean {
  const code = text.charCodeAt(at);
  return code === 0x7b || code === 0x5b;
}

/** Parses a flow collection on one line of simple words and quoted scalars. Throws NotCommon for others. */
export function flowCollectionAt(cursor: Cursor, depth: number): MappingNode | SequenceNode {
  if (depth > maximumFlowDepth) throw new NotCommon();
  const { line, column } = cursor;
  const isMapping = cursor.input.text.charCodeAt(cursor.at) === 0x7b;
  const items: YamlNode[] = [];
  const pairs: MappingNode['pairs'] = [];
  moveBy(cursor, 1);
  skipSpaces(cursor);
  while (!skipped(cursor, isMapping ? 0x7d : 0x5d)) {
    if (items.length + pairs.length > 0) flowComma(cursor);
    if (isMapping) pairs.push({ key: flowKeyAt(cursor), value: flowNodeAt(cursor, depth) });
    else items.push(flowNodeAt(cursor, depth));
    skipSpaces(cursor);
  }
  return isMapping ? { kind: 'mapping', line, column, pairs } : { kind: 'sequence', line, column, items };
}

/** Recursive, too. */
const maximumFlowDepth = 100;

function flowComma(cursor: Cursor): void {
  if (!skipped(cursor, 0x2c)) throw new NotCommon();
  skipSpaces(cursor);
}

function skipped(cursor: Cursor, code: number): boolean {
  if (cursor.input.text.charCodeAt(cursor.at) !== code) return false;
  moveBy(cursor, 1);
  return true;
}

function flowKeyAt(cursor: Cursor): YamlScalarNode {
  const key = flowScalarAt(cursor);
  if (!skipped(cursor, 0x3a) || cursor.input.text.charCodeAt(cursor.at) !== 0x20) throw new NotCommon();
  skipSpaces(cursor);
  return key;
}

function flowNodeAt(cursor: Cursor, depth: number): YamlNode {
  return isFlowStart(cursor) ? flowCollectionAt(cursor, depth + 1) : flowScalarAt(cursor);
}

function flowScalarAt(cursor: Cursor): YamlScalarNode {
  const { line, column, at } = cursor;
  const { text } = cursor.input;
  const quoted = isQuote(text.charCodeAt(at));
  let end = -1;
  if (quoted) {
    end = endOfSimpleQuoted(text, at);
  } else {
    flowWord.lastIndex = at;
    if (flowWord.test(text)) end = flowWord.lastIndex;
  }
  if (end < 0 || end - at > maximumKey || !isAscii(text, at, end)) throw new NotCommon();
  moveBy(cursor, end - at);
  return { kind: 'scalar', line, column, tag: '', value: quoted ? text.slice(at + 1, end - 1) : text.slice(at, end), implicit: !quoted };
}

const flowWord = /[A-Za-z0-9_.$][A-Za-z0-9_.$/-]*/y;

/** Characters of several UTF-16 units would shift the columns after them. */
function isAscii(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) > 0x7e) return false;
  return true;
}
