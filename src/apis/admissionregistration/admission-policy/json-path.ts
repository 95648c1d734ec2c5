import { isPrintable } from '../../../go/printable.js';

/**
 * Returns why a text is no JSONPath template, in client-go's words; undefined for one that is.
 * Source: client-go util/jsonpath/parser.go.
 */
export function jsonPathProblem(text: string): string | undefined {
  try {
    parseText({ runes: [...text], at: 0 }, { isRecursive: false });
    return undefined;
  } catch (error) {
    if (error instanceof JsonPathError) return error.message;
    throw error;
  }
}

class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

interface Cursor {
  readonly runes: readonly string[];
  at: number;
}

/** Was the last node `..`? */
interface Nodes {
  isRecursive: boolean;
}

function next(cursor: Cursor): string | undefined {
  const rune = cursor.runes[cursor.at];
  if (rune !== undefined) cursor.at += 1;
  return rune;
}

function startsWith({ runes, at }: Cursor, prefix: string): boolean {
  return [...prefix].every((rune, i) => runes[at + i] === rune);
}

function parseText(cursor: Cursor, nodes: Nodes): void {
  for (;;) {
    if (startsWith(cursor, '{')) {
      cursor.at += 1;
      parseAction(cursor, nodes);
      return;
    }
    if (next(cursor) === undefined) return;
  }
}

/** What stands between `{` and `}`, and all that follows it. */
function parseAction(cursor: Cursor, nodes: Nodes): void {
  for (;;) {
    if (startsWith(cursor, '}')) {
      cursor.at += 1;
      parseText(cursor, { isRecursive: false });
      return;
    }
    if (startsWith(cursor, '[?(')) parseFilter(cursor);
    else if (startsWith(cursor, '..')) {
      if (nodes.isRecursive) throw new JsonPathError('invalid multiple recursive descent');
      cursor.at += 2;
      nodes.isRecursive = true;
      const rune = cursor.runes[cursor.at];
      if (rune === undefined || !isAlphaNumeric(rune)) continue;
      skipField(cursor);
    } else if (!parseStep(cursor)) continue;
    nodes.isRecursive = false;
  }
}

/** False: nothing but a space, `@` or `$`. */
function parseStep(cursor: Cursor): boolean {
  const rune = next(cursor);
  if (rune === undefined || isEndOfLine(rune)) throw new JsonPathError('unclosed action');
  if (rune === ' ' || rune === '@' || rune === '$') return false;
  if (rune === '[') parseArray(cursor);
  else if (rune === '"' || rune === "'") parseQuoted(cursor, rune);
  else if (rune === '.') skipField(cursor);
  else if (rune === '+' || rune === '-' || /\p{Nd}/u.test(rune)) {
    cursor.at -= 1;
    parseNumber(cursor);
  } else if (isAlphaNumeric(rune)) {
    while (!isTerminator(cursor.runes[cursor.at])) cursor.at += 1;
  } else throw new JsonPathError(`unrecognized character in action: ${codePoint(rune)}`);
  return true;
}

/** As Go's %#U prints a character. */
function codePoint(rune: string): string {
  const number = rune.codePointAt(0) ?? 0;
  const shown = isPrintable(rune) ? ` '${rune}'` : '';
  return `U+${number.toString(16).toUpperCase().padStart(4, '0')}${shown}`;
}

function skipField(cursor: Cursor): void {
  for (;;) {
    const rune = cursor.runes[cursor.at];
    if (rune === '\\') cursor.at += 2;
    else if (isTerminator(rune)) return;
    else cursor.at += 1;
  }
}

function parseNumber(cursor: Cursor): void {
  const start = cursor.at;
  if (['+', '-'].includes(cursor.runes[cursor.at] ?? '')) cursor.at += 1;
  while (/^[.\p{Nd}]$/u.test(cursor.runes[cursor.at] ?? '')) cursor.at += 1;
  const value = cursor.runes.slice(start, cursor.at).join('');
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value)) throw new JsonPathError(`cannot parse number ${value}`);
}

function parseQuoted(cursor: Cursor, end: string): void {
  for (;;) {
    const rune = next(cursor);
    if (rune === undefined || rune === '\n') throw new JsonPathError('unterminated quoted string');
    if (rune === end && cursor.runes[cursor.at - 2] !== '\\') return;
  }
}

function parseArray(cursor: Cursor): void {
  const start = cursor.at;
  for (;;) {
    const rune = next(cursor);
    if (rune === undefined || rune === '\n') throw new JsonPathError('unterminated array');
    if (rune === ']') break;
  }
  checkIndex(cursor.runes.slice(start, cursor.at - 1).join(''));
}

function checkIndex(text: string): void {
  const parts = text.split(',');
  if (parts.length > 1) {
    for (const part of parts) parseText({ runes: [...`{[${part.replace(/^ +| +$/g, '')}]}`], at: 0 }, { isRecursive: false });
    return;
  }
  const key = /^'([^']*)'$/.exec(text)?.[1];
  if (key !== undefined) {
    parseText({ runes: [...`{.${key}}`], at: 0 }, { isRecursive: false });
    return;
  }
  const slice = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text === '*' ? ':' : text);
  if (slice === null) throw new JsonPathError(`invalid array index ${text}`);
  for (const [i, part] of slice.slice(1).entries()) {
    const digits = i === 0 ? part : part?.slice(1);
    if (digits !== undefined && digits !== '' && !/\d/.test(digits)) throw new JsonPathError(`array index ${digits} is not a number`);
  }
}

function parseFilter(cursor: Cursor): void {
  cursor.at += 3;
  const start = cursor.at;
  let quote: string | undefined;
  let isClosed = false;
  for (;;) {
    const rune = next(cursor);
    if (rune === undefined || rune === '\n') throw new JsonPathError('unterminated filter');
    if (rune === '"' || rune === "'") {
      if (quote === undefined) quote = rune;
      else if (cursor.runes[cursor.at - 2] !== '\\' && rune === quote) isClosed = true;
    } else if (rune === ')' && (quote !== undefined) === isClosed) break;
  }
  if (next(cursor) !== ']') throw new JsonPathError('unclosed array expect ]');
  const text = cursor.runes.slice(start, cursor.at - 2).join('');
  const compared = /^([^!<>=]+)([!<>=]+)(.+?)$/.exec(text);
  for (const side of compared === null ? [text] : [compared[1] ?? '', compared[3] ?? ''])
    parseText({ runes: [...`{${side}}`], at: 0 }, { isRecursive: false });
}

function isTerminator(rune: string | undefined): boolean {
  return rune === undefined || ' \t\r\n.,[]$@{}'.includes(rune);
}

function isEndOfLine(rune: string): boolean {
  return rune === '\r' || rune === '\n';
}

function isAlphaNumeric(rune: string): boolean {
  return /^[_\p{L}\p{Nd}]$/u.test(rune);
}
