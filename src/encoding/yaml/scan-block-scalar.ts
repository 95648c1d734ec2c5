import {
  type Cursor,
  ensure,
  isBreakOrEnd,
  isDigit,
  isYamlBlank,
  isYamlBreak,
  type Mark,
  markOf,
  peek,
  readLine,
  skip,
  skipBlanks,
  skipComment,
  skipLine,
} from './cursor.js';
import { type ScalarToken, scannerError } from './tokens.js';

/** Scans a literal (`|`) or folded (`>`) scalar in a block of that indentation. */
export function scanBlockScalar(cursor: Cursor, parentIndent: number, literal: boolean): ScalarToken {
  const start = markOf(cursor);
  skip(cursor);
  const { keep, increment } = scanHeader(cursor, start);
  const wanted = increment === 0 ? 0 : Math.max(parentIndent, 0) + increment;
  let { indent, breaks, end } = scanBreaks(cursor, { indent: wanted, parentIndent, start });
  let value = '';
  let lineBreak = '';
  let afterBlank = false;
  ensure(cursor, 1);
  while (cursor.column === indent && peek(cursor) !== 0) {
    const blank = isYamlBlank(peek(cursor));
    if (!literal && !afterBlank && !blank && lineBreak === '\n') value += breaks === '' ? ' ' : breaks;
    else value += lineBreak + breaks;
    afterBlank = blank;
    const from = cursor.at;
    while (!isBreakOrEnd(peek(cursor))) {
      skip(cursor);
      ensure(cursor, 1);
    }
    value += cursor.input.text.slice(from, cursor.at);
    ensure(cursor, 2);
    lineBreak = readLine(cursor);
    ({ breaks, end } = scanBreaks(cursor, { indent, parentIndent, start }));
  }
  if (keep !== 'none') value += lineBreak;
  if (keep === 'all') value += breaks;
  return { type: 'scalar', value, plain: false, start, end };
}

/** Line breaks kept at the end: the first (YAML's default), all (`+`), or none (`-`). */
type Keep = 'first' | 'all' | 'none';

/** Scans the indicators after `|` or `>`, a comment, and the end of the line. */
function scanHeader(cursor: Cursor, start: Mark): { readonly keep: Keep; readonly increment: number } {
  ensure(cursor, 1);
  let keep = scanKeep(cursor);
  const increment = scanIncrement(cursor, start);
  if (keep === undefined && increment > 0) keep = scanKeep(cursor);
  skipBlanks(cursor);
  skipComment(cursor);
  if (!isBreakOrEnd(peek(cursor))) throw scannerError(cursor, start, 'did not find expected comment or line break');
  if (isYamlBreak(peek(cursor))) {
    ensure(cursor, 2);
    skipLine(cursor);
  }
  return { keep: keep ?? 'first', increment };
}

function scanKeep(cursor: Cursor): Keep | undefined {
  const code = peek(cursor);
  if (code !== 0x2b && code !== 0x2d) return undefined;
  skip(cursor);
  ensure(cursor, 1);
  return code === 0x2b ? 'all' : 'none';
}

function scanIncrement(cursor: Cursor, start: Mark): number {
  const code = peek(cursor);
  if (!isDigit(code)) return 0;
  if (code === 0x30) throw scannerError(cursor, start, 'found an indentation indicator equal to 0');
  skip(cursor);
  ensure(cursor, 1);
  return code - 0x30;
}

interface Breaks {
  readonly breaks: string;
  readonly indent: number;
  readonly end: Mark;
}

/** Skips empty lines and the indentation after them; an indentation of 0 is detected from the deepest of these. */
function scanBreaks(
  cursor: Cursor,
  { indent, parentIndent, start }: { readonly indent: number; readonly parentIndent: number; readonly start: Mark },
): Breaks {
  let end = markOf(cursor);
  let breaks = '';
  let deepest = 0;
  const within = () => indent === 0 || cursor.column < indent;
  for (;;) {
    ensure(cursor, 1);
    while (within() && peek(cursor) === 0x20) {
      skip(cursor);
      ensure(cursor, 1);
    }
    deepest = Math.max(deepest, cursor.column);
    if (within() && peek(cursor) === 0x09) {
      throw scannerError(cursor, start, 'found a tab character where an indentation space is expected');
    }
    if (!isYamlBreak(peek(cursor))) break;
    ensure(cursor, 2);
    breaks += readLine(cursor);
    end = markOf(cursor);
  }
  return { breaks, end, indent: indent === 0 ? Math.max(deepest, parentIndent + 1, 1) : indent };
}
