import { type CelToken, literalTokens, tokenTypes, wordTokens } from './tokens.js';

/** A scanned token, or characters that do not start one. */
export type Scanned =
  | { readonly outcome: 'token'; readonly type: number; readonly end: number }
  | { readonly outcome: 'unrecognized'; readonly end: number };

/**
 * Scans one token, including white space and comments. Unrecognized input extends through the character at which no token could continue,
 * as in ANTLR's lexers, which drop all of it. Source: cel-go parser/gen/CEL.g4.
 */
export function scanToken(text: readonly string[], start: number): Scanned {
  const first = text[start];
  if (first === undefined) return { outcome: 'token', type: tokenTypes.EOF, end: start };
  if (isSpace(first)) return found(tokenTypes.WHITESPACE, skip(text, start, isSpace));
  if (first === '/' && text[start + 1] === '/')
    return found(
      tokenTypes.COMMENT,
      skip(text, start, c => c !== '\n'),
    );
  if (first === '"' || first === "'") return scanQuoted(text, start);
  if (first === '`') return scanEscapedIdentifier(text, start);
  if (isDigit(first) || (first === '.' && isDigit(text[start + 1]))) return scanNumber(text, start);
  if (isLetter(first)) return scanWord(text, start);
  return scanOperator(text, start);
}

/** Reports whether the parser skips a token. */
export function isHidden({ type }: CelToken): boolean {
  return type === tokenTypes.WHITESPACE || type === tokenTypes.COMMENT;
}

function found(type: number, end: number): Scanned {
  return { outcome: 'token', type, end };
}

/** No token continues with the character at `at`, or with the end of the text. */
function unrecognized(text: readonly string[], at: number): Scanned {
  return { outcome: 'unrecognized', end: Math.min(at + 1, text.length) };
}

function scanQuoted(text: readonly string[], start: number): Scanned {
  const quoted = quotedEnd(text, start, false);
  return quoted.end === undefined ? unrecognized(text, quoted.at) : found(tokenTypes.STRING, quoted.end);
}

type Quoted = { readonly end: number; readonly at?: undefined } | { readonly end: undefined; readonly at: number };

/** End of the string literal whose quotes start at `start`, or the offset at which it fails. */
function quotedEnd(text: readonly string[], start: number, raw: boolean): Quoted {
  const quote = text[start] ?? '';
  if (text[start + 1] === quote && text[start + 2] === quote) {
    const triple = tripleEnd(text, start, raw);
    // Two quotes are an empty string, regardless of what follows.
    return { end: triple ?? start + 2 };
  }
  let at = start + 1;
  for (;;) {
    const c = text[at];
    if (c === quote) return { end: at + 1 };
    if (c === undefined || c === '\n' || c === '\r') return { end: undefined, at };
    if (c !== '\\' || raw) {
      at += 1;
      continue;
    }
    const escaped = escapeEnd(text, at);
    if (escaped.end === undefined) return escaped;
    at = escaped.end;
  }
}

function tripleEnd(text: readonly string[], start: number, raw: boolean): number | undefined {
  const quote = text[start] ?? '';
  let at = start + 3;
  for (;;) {
    const c = text[at];
    if (c === undefined) return undefined;
    if (c === quote && text[at + 1] === quote && text[at + 2] === quote) return at + 3;
    if (c !== '\\' || raw) {
      at += 1;
      continue;
    }
    const escaped = escapeEnd(text, at);
    if (escaped.end === undefined) return undefined;
    at = escaped.end;
  }
}

/** End of the escape sequence whose backslash is at `start`. */
function escapeEnd(text: readonly string[], start: number): Quoted {
  const c = text[start + 1];
  if (c === undefined) return { end: undefined, at: start + 1 };
  if ('abfnrtv"\'\\?`'.includes(c)) return { end: start + 2 };
  const digits = c === 'x' || c === 'X' ? 2 : c === 'u' ? 4 : c === 'U' ? 8 : 0;
  if (digits > 0) return digitsEnd(text, start + 2, { count: digits, digit: isHexDigit });
  if (c >= '0' && c <= '3') return digitsEnd(text, start + 2, { count: 2, digit: isOctalDigit });
  return { end: undefined, at: start + 1 };
}

function digitsEnd(text: readonly string[], start: number, want: { count: number; digit: (c: string | undefined) => boolean }): Quoted {
  for (let at = start; at < start + want.count; at += 1) if (!want.digit(text[at])) return { end: undefined, at };
  return { end: start + want.count };
}

function scanEscapedIdentifier(text: readonly string[], start: number): Scanned {
  const end = skip(text, start + 1, c => isLetter(c) || isDigit(c) || c === '.' || c === '-' || c === '/' || c === ' ');
  return text[end] === '`' && end > start + 1 ? found(tokenTypes.ESC_IDENTIFIER, end + 1) : unrecognized(text, end);
}

function scanNumber(text: readonly string[], start: number): Scanned {
  if (text[start] === '0' && text[start + 1] === 'x' && isHexDigit(text[start + 2])) {
    const end = skip(text, start + 2, isHexDigit);
    return isUnsignedMark(text[end]) ? found(tokenTypes.NUM_UINT, end + 1) : found(tokenTypes.NUM_INT, end);
  }
  const whole = skip(text, start, isDigit);
  const fraction = text[whole] === '.' && isDigit(text[whole + 1]) ? skip(text, whole + 1, isDigit) : whole;
  const end = exponentEnd(text, fraction);
  if (end > whole) return found(tokenTypes.NUM_FLOAT, end);
  return isUnsignedMark(text[whole]) ? found(tokenTypes.NUM_UINT, whole + 1) : found(tokenTypes.NUM_INT, whole);
}

function exponentEnd(text: readonly string[], start: number): number {
  if (text[start] !== 'e' && text[start] !== 'E') return start;
  const digits = text[start + 1] === '+' || text[start + 1] === '-' ? start + 2 : start + 1;
  return isDigit(text[digits]) ? skip(text, digits, isDigit) : start;
}

/** An identifier or keyword; or a string with a prefix (`r'..'`, `b"..."`, `br'..'`), when that is longer. */
function scanWord(text: readonly string[], start: number): Scanned {
  const end = skip(text, start, c => isLetter(c) || isDigit(c));
  const word = text.slice(start, end).join('');
  const prefix = /^([bB]?)([rR]?)$/.exec(word);
  if (prefix !== null && (text[end] === '"' || text[end] === "'")) {
    const quoted = quotedEnd(text, end, prefix[2] !== '');
    if (quoted.end !== undefined) return found(prefix[1] === '' ? tokenTypes.STRING : tokenTypes.BYTES, quoted.end);
  }
  return found(wordTokens.get(word) ?? tokenTypes.IDENTIFIER, end);
}

function scanOperator(text: readonly string[], start: number): Scanned {
  const first = text[start] ?? '';
  const both = first + (text[start + 1] ?? '');
  for (const [literal, type] of literalTokens) if (literal === first || literal === both) return found(type, start + literal.length);
  // The first character of a two-character operator requires the second.
  return unrecognized(text, first === '=' || first === '&' || first === '|' ? start + 1 : start);
}

function skip(text: readonly string[], start: number, wanted: (c: string) => boolean): number {
  let at = start;
  for (;;) {
    const c = text[at];
    if (c === undefined || !wanted(c)) return at;
    at += 1;
  }
}

function isSpace(c: string): boolean {
  return c === ' ' || c === '\t' || c === '\r' || c === '\n' || c === '\f';
}

function isDigit(c: string | undefined): boolean {
  return c !== undefined && c >= '0' && c <= '9' && c.length === 1;
}

function isOctalDigit(c: string | undefined): boolean {
  return c !== undefined && c >= '0' && c <= '7' && c.length === 1;
}

function isHexDigit(c: string | undefined): boolean {
  return isDigit(c) || (c !== undefined && /^[a-fA-F]$/.test(c));
}

function isLetter(c: string): boolean {
  return /^[A-Za-z_]$/.test(c);
}

function isUnsignedMark(c: string | undefined): boolean {
  return c === 'u' || c === 'U';
}
