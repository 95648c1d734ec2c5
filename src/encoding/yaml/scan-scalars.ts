import {
  type Cursor,
  documentIndicator,
  ensure,
  isBlankOrEnd,
  isYamlBlank,
  isYamlBreak,
  type Mark,
  markOf,
  peek,
  readCharacter,
  readLine,
  skip,
  skipLine,
  skipRun,
} from './cursor.js';
import { type ScalarToken, scannerError } from './tokens.js';

/** Scans a scalar without quotes. `endsBelow`: line breaks after it have been skipped, so that a key may start there. */
export function scanPlainScalar(
  cursor: Cursor,
  context: { readonly indent: number; readonly inFlow: boolean },
): { readonly token: ScalarToken; readonly endsBelow: boolean } {
  const start = markOf(cursor);
  let end = start;
  let value = '';
  let gap = emptyGap;
  for (;;) {
    ensure(cursor, 4);
    if (documentIndicator(cursor) !== 0 || peek(cursor) === 0x23) break;
    const from = cursor.at;
    skipRun(cursor, wordCharacters);
    while (!endsPlain(cursor, context.inFlow)) {
      skip(cursor);
      ensure(cursor, 2);
      skipRun(cursor, wordCharacters);
    }
    if (cursor.at > from) {
      value += joinText(gap) + cursor.input.text.slice(from, cursor.at);
      gap = emptyGap;
      end = markOf(cursor);
    }
    if (!isYamlBlank(peek(cursor)) && !isYamlBreak(peek(cursor))) break;
    gap = scanGap(cursor, gap, () => {
      if (cursor.column <= context.indent && peek(cursor) === 0x09) {
        throw scannerError(cursor, start, 'found a tab character that violates indentation');
      }
    });
    if (!context.inFlow && cursor.column <= context.indent) break;
  }
  return { token: { type: 'scalar', value, plain: true, start, end }, endsBelow: gap.breaks > 0 };
}

/** Common characters that never end a plain scalar. */
const wordCharacters = /[A-Za-z0-9_./-]+/y;

/** Scans a scalar in single or double quotes; `quote` is the code of the quote. */
export function scanQuotedScalar(cursor: Cursor, quote: number): ScalarToken {
  const start = markOf(cursor);
  skip(cursor);
  let value = '';
  for (;;) {
    ensure(cursor, 4);
    if (documentIndicator(cursor) !== 0) throw scannerError(cursor, start, 'found unexpected document indicator');
    if (peek(cursor) === 0) throw scannerError(cursor, start, 'found unexpected end of stream');
    const content = scanQuotedContent(cursor, quote, start);
    value += content.text;
    ensure(cursor, 1);
    if (peek(cursor) === quote) break;
    value += joinText(scanGap(cursor, content.brokenLine ? escapedBreak : emptyGap));
  }
  skip(cursor);
  return { type: 'scalar', value, plain: false, start, end: markOf(cursor) };
}

/** White space between two pieces of a scalar: spaces within a line, or line breaks (the first, and all others). */
interface Gap {
  readonly blanks: string;
  readonly breaks: number;
  readonly first: string;
  readonly further: string;
}

const emptyGap: Gap = { blanks: '', breaks: 0, first: '', further: '' };
/** A line break after a backslash leaves nothing. */
const escapedBreak: Gap = { blanks: '', breaks: 1, first: '', further: '' };

/** Skips spaces and line breaks, in addition to those already skipped. Calls `check` before each space after a line break. */
function scanGap(cursor: Cursor, before: Gap, check?: () => void): Gap {
  let { blanks, breaks, first, further } = before;
  for (let code = peek(cursor); isYamlBlank(code) || isYamlBreak(code); code = peek(cursor)) {
    if (isYamlBlank(code)) {
      if (breaks > 0) check?.();
      if (breaks === 0) blanks += readCharacter(cursor);
      else skip(cursor);
    } else {
      ensure(cursor, 2);
      if (breaks === 0) first = readLine(cursor);
      else further += readLine(cursor);
      breaks += 1;
      blanks = '';
    }
    ensure(cursor, 1);
  }
  return { blanks, breaks, first, further };
}

/** Returns the text for a gap: a single line feed folds to a space, several lose the first. */
function joinText({ blanks, breaks, first, further }: Gap): string {
  if (breaks === 0) return blanks;
  if (first !== '\n') return first + further;
  return further === '' ? ' ' : further;
}

function endsPlain(cursor: Cursor, inFlow: boolean): boolean {
  const code = peek(cursor);
  if (isBlankOrEnd(code)) return true;
  if (code === 0x3a) return isBlankOrEnd(peek(cursor, 1));
  return inFlow && flowIndicators.has(code);
}

/** , ? [ ] { } */
const flowIndicators = new Set([0x2c, 0x3f, 0x5b, 0x5d, 0x7b, 0x7d]);

/** Scans text up to white space or the closing quote, or up to a line break after a backslash. */
function scanQuotedContent(cursor: Cursor, quote: number, start: Mark): { readonly text: string; readonly brokenLine: boolean } {
  const single = quote === 0x27;
  let text = '';
  for (let code = peek(cursor); !isBlankOrEnd(code); code = peek(cursor)) {
    if (code === quote) {
      if (!single || peek(cursor, 1) !== quote) break;
      text += "'";
      skip(cursor);
      skip(cursor);
    } else if (code === 0x5c && !single) {
      if (isYamlBreak(peek(cursor, 1))) {
        ensure(cursor, 3);
        skip(cursor);
        skipLine(cursor);
        return { text, brokenLine: true };
      }
      text += scanEscape(cursor, start);
    } else {
      const from = cursor.at;
      do {
        skip(cursor);
        ensure(cursor, 2);
        skipRun(cursor, wordCharacters);
        code = peek(cursor);
      } while (code !== quote && code !== 0x5c && !isBlankOrEnd(code));
      text += cursor.input.text.slice(from, cursor.at);
    }
    ensure(cursor, 2);
  }
  return { text, brokenLine: false };
}

const escapes = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\x85'],
  ['_', '\xa0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);
const escapeLengths = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

function scanEscape(cursor: Cursor, start: Mark): string {
  const letter = cursor.input.text[cursor.at + 1] ?? '';
  const short = escapes.get(letter);
  const length = escapeLengths.get(letter) ?? 0;
  if (short === undefined && length === 0) throw scannerError(cursor, start, 'found unknown escape character');
  skip(cursor);
  skip(cursor);
  if (short !== undefined) return short;
  ensure(cursor, length);
  const digits = cursor.input.text.slice(cursor.at, cursor.at + length);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) {
    throw scannerError(cursor, start, 'did not find expected hexdecimal number');
  }
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    throw scannerError(cursor, start, 'found invalid Unicode character escape code');
  }
  for (let i = 0; i < length; i += 1) skip(cursor);
  return String.fromCodePoint(code);
}
