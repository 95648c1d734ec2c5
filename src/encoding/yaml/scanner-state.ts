import { type Cursor, cursorOf, type Mark, markOf, skip } from './cursor.js';
import type { YamlInput } from './input.js';
import { type PlainToken, scannerError, type YamlToken } from './tokens.js';

/**
 * Converts YAML text to tokens. Only the colon after a token shows that it is a key; until then it is a possible "simple key", and the
 * tokens from there on wait in a queue. Source of the rules: go-yaml v2 scannerc.go, with its limits and bugs.
 */
export interface Scanner {
  readonly cursor: Cursor;
  /** Queued tokens, from `head` on. */
  tokens: YamlToken[];
  head: number;
  /** Number of tokens taken. */
  taken: number;
  /** The first queued token will not change any more. */
  ready: boolean;
  started: boolean;
  /** Column of the current block, -1 outside of any, and those of the blocks around it. */
  indent: number;
  readonly indents: number[];
  simpleKeyAllowed: boolean;
  /** One for each level of flow collections, the block level first. */
  readonly simpleKeys: SimpleKey[];
  /** Level by the number of the token that may be a key. */
  readonly levelOfToken: Map<number, number>;
}

export interface SimpleKey {
  possible: boolean;
  readonly required: boolean;
  readonly token: number;
  readonly mark: Mark;
}

export function scannerOf(input: YamlInput): Scanner {
  return {
    cursor: cursorOf(input),
    tokens: [],
    head: 0,
    taken: 0,
    ready: false,
    started: false,
    indent: -1,
    indents: [],
    simpleKeyAllowed: true,
    simpleKeys: [],
    levelOfToken: new Map(),
  };
}

/** Max nesting of flow collections, and of blocks, in go-yaml. */
export const maximumDepth = 10000;
export const noMark: Mark = { index: 0, line: 0, column: 0 };

export function isInFlow(scanner: Scanner): boolean {
  return scanner.simpleKeys.length > 1;
}

export function isPossible(scanner: Scanner, key: SimpleKey): boolean {
  if (!key.possible) return false;
  if (key.mark.line >= scanner.cursor.line && key.mark.index + 1024 >= scanner.cursor.index) return true;
  if (key.required) throw scannerError(scanner.cursor, key.mark, "could not find expected ':'");
  key.possible = false;
  return false;
}

/** Records a possible key, and whether another may start after it. */
export function saveSimpleKey(scanner: Scanner, allowedBehind: boolean): void {
  const { cursor, simpleKeys } = scanner;
  if (scanner.simpleKeyAllowed) {
    const required = !isInFlow(scanner) && scanner.indent === cursor.column;
    const token = nextTokenNumber(scanner);
    removeSimpleKey(scanner);
    simpleKeys[simpleKeys.length - 1] = { possible: true, required, token, mark: markOf(cursor) };
    scanner.levelOfToken.set(token, simpleKeys.length - 1);
  }
  scanner.simpleKeyAllowed = allowedBehind;
}

export function nextTokenNumber(scanner: Scanner): number {
  return scanner.taken + scanner.tokens.length - scanner.head;
}

export function removeSimpleKey(scanner: Scanner): void {
  const key = scanner.simpleKeys.at(-1);
  if (key?.possible !== true) return;
  if (key.required) throw scannerError(scanner.cursor, key.mark, "could not find expected ':'");
  key.possible = false;
  scanner.levelOfToken.delete(key.token);
}

/** Opens a block if the column is to the right of the current one; its token is inserted before the token of that number, or at the end. */
export function rollIndent(
  scanner: Scanner,
  type: 'block-sequence-start' | 'block-mapping-start',
  at: { mark: Mark; token: number },
): void {
  if (isInFlow(scanner) || scanner.indent >= at.mark.column) return;
  scanner.indents.push(scanner.indent);
  scanner.indent = at.mark.column;
  if (scanner.indents.length > maximumDepth) {
    throw scannerError(scanner.cursor, scanner.simpleKeys.at(-1)?.mark ?? noMark, `exceeded max depth of ${maximumDepth}`);
  }
  insertToken(scanner, { type, start: at.mark, end: at.mark }, at.token);
}

/** Closes the blocks to the right of a column. */
export function unrollIndent(scanner: Scanner, column: number): void {
  if (isInFlow(scanner)) return;
  while (scanner.indent > column) {
    addPlain(scanner, 'block-end', markOf(scanner.cursor));
    scanner.indent = scanner.indents.pop() ?? -1;
  }
}

/** Inserts a token before the one of that number; at the end if that one is taken, or for -1. */
export function insertToken(scanner: Scanner, token: YamlToken, before: number): void {
  const place = before < 0 ? -1 : before - scanner.taken;
  if (place < 0) scanner.tokens.push(token);
  else scanner.tokens.splice(scanner.head + place, 0, token);
}

export function addPlain(scanner: Scanner, type: PlainToken['type'], start: Mark): void {
  scanner.tokens.push({ type, start, end: markOf(scanner.cursor) });
}

export function takeCharacters(scanner: Scanner, type: PlainToken['type'], count: number): void {
  const start = markOf(scanner.cursor);
  for (let i = 0; i < count; i += 1) skip(scanner.cursor);
  addPlain(scanner, type, start);
}

export function leaveBlocks(scanner: Scanner): void {
  unrollIndent(scanner, -1);
  removeSimpleKey(scanner);
  scanner.simpleKeyAllowed = false;
}
