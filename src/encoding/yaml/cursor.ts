import type { YamlInput } from './input.js';
import { YamlError } from './yaml-error.js';

/** Position in the text, counted in characters from 0. */
export interface Mark {
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

/** Position of the scanner in its input. */
export interface Cursor {
  readonly input: YamlInput;
  /** Offset in the text (UTF-16), and the same position as a Mark. */
  at: number;
  index: number;
  line: number;
  column: number;
  /** Number of characters that have been read, and of portions. */
  available: number;
  portion: number;
  /** Start of the text that go-yaml keeps. */
  keptFrom: number;
}

/** Returns a cursor at the start of a text. */
export function cursorOf(input: YamlInput): Cursor {
  const available = input.portions === undefined ? Number.POSITIVE_INFINITY : 0;
  return { input, at: 0, index: 0, line: 0, column: 0, available, portion: 0, keptFrom: -1 };
}

export function markOf({ index, line, column }: Cursor): Mark {
  return { index, line, column };
}

/** Returns the UTF-16 unit at a distance; 0 after the end. */
export function peek(cursor: Cursor, ahead = 0): number {
  return cursor.input.text.charCodeAt(cursor.at + ahead) | 0;
}

/** Reads until that many characters are available. Throws YamlError for a character that YAML does not allow. */
export function ensure(cursor: Cursor, characters: number): void {
  if (cursor.index + characters > cursor.available) readOn(cursor, characters);
}

function readOn(cursor: Cursor, characters: number): void {
  const { portions = [], fault } = cursor.input;
  cursor.keptFrom = cursor.at;
  while (cursor.index + characters > cursor.available) {
    const end = portions[cursor.portion];
    if (end === undefined) {
      if (fault !== undefined) throw faultAt(cursor, fault);
      // At the end every read adds one NUL.
      cursor.available += 1;
      return;
    }
    cursor.available = end;
    cursor.portion += 1;
  }
}

/** go-yaml reports a forbidden character after everything it has read. */
function faultAt(cursor: Cursor, fault: string): YamlError {
  while (cursor.at < cursor.input.text.length) {
    if (isYamlBreak(peek(cursor))) readLine(cursor);
    else skip(cursor);
  }
  return new YamlError(`yaml: ${fault}`, cursor);
}

/** Skips one character. */
export function skip(cursor: Cursor): void {
  cursor.at += isHighSurrogate(peek(cursor)) ? 2 : 1;
  cursor.index += 1;
  cursor.column += 1;
}

/**
 * Skips the characters that a sticky pattern matches: none of them is a line break or has more than one UTF-16 unit. Skips nothing if
 * portions matter: each portion must be checked before the next one.
 */
export function skipRun(cursor: Cursor, run: RegExp): void {
  if (cursor.available !== Number.POSITIVE_INFINITY) return;
  run.lastIndex = cursor.at;
  if (!run.test(cursor.input.text)) return;
  const length = run.lastIndex - cursor.at;
  cursor.at += length;
  cursor.index += length;
  cursor.column += length;
}

/** Returns and skips one character. */
export function readCharacter(cursor: Cursor): string {
  const from = cursor.at;
  skip(cursor);
  return cursor.input.text.slice(from, cursor.at);
}

/** Skips a line break, if there is one. */
export function skipLine(cursor: Cursor): void {
  readLine(cursor);
}

/** Skips a line break and returns its value in a scalar: a line feed, or itself for U+2028 and U+2029. */
export function readLine(cursor: Cursor): string {
  const code = peek(cursor);
  if (!isYamlBreak(code)) return '';
  const width = code === 0x0d && peek(cursor, 1) === 0x0a ? 2 : 1;
  cursor.at += width;
  cursor.index += width;
  cursor.column = 0;
  cursor.line += 1;
  return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n';
}

/** Skips spaces and tabs. */
export function skipBlanks(cursor: Cursor): void {
  ensure(cursor, 1);
  while (isYamlBlank(peek(cursor))) {
    skip(cursor);
    ensure(cursor, 1);
  }
}

/** Skips a comment up to the end of its line, if there is one. */
export function skipComment(cursor: Cursor): void {
  if (peek(cursor) !== 0x23) return;
  skipRun(cursor, restOfLine);
  while (!isBreakOrEnd(peek(cursor))) {
    skip(cursor);
    ensure(cursor, 1);
  }
}

/** ASCII without line breaks. */
const restOfLine = /[\t\x20-\x7e]+/y;

/** Returns the first character of `---` or `...` with white space after it at the start of this line; 0 if there is none. */
export function documentIndicator(cursor: Cursor): number {
  if (cursor.column !== 0) return 0;
  const code = peek(cursor);
  if (code !== 0x2d && code !== 0x2e) return 0;
  return peek(cursor, 1) === code && peek(cursor, 2) === code && isBlankOrEnd(peek(cursor, 3)) ? code : 0;
}

export function isYamlBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

export function isYamlBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029;
}

export function isBreakOrEnd(code: number): boolean {
  return code === 0 || isYamlBreak(code);
}

export function isBlankOrEnd(code: number): boolean {
  return code === 0x20 || code === 0x09 || isBreakOrEnd(code);
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Returns whether a character is a letter, a digit, `_` or `-`. */
export function isWordCharacter(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === 0x2d;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
