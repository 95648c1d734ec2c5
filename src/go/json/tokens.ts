import { unexpectedCharacter, unexpectedEndOfJson } from './syntax-error.js';

/** Returns the offset of the first character at or after `at` that is not JSON white space. */
export function skipWhitespace(text: string, at: number): number {
  let next = at;
  for (;;) {
    const code = text.charCodeAt(next);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return next;
    next += 1;
  }
}

/** Returns the end of the number at `at`, which starts with a digit or a minus. Throws JsonSyntaxError if a digit is missing. */
export function endOfNumber(text: string, at: number): number {
  let next = text[at] === '-' ? at + 1 : at;
  const first = text.charCodeAt(next);
  if (!isDigit(first)) throw unexpectedCharacter(text, next, 'in numeric literal');
  next = first === 0x30 ? next + 1 : endOfDigits(text, next);
  if (text[next] === '.') {
    next += 1;
    if (!isDigit(text.charCodeAt(next))) throw unexpectedCharacter(text, next, 'after decimal point in numeric literal');
    next = endOfDigits(text, next);
  }
  if (text[next] === 'e' || text[next] === 'E') {
    next += 1;
    if (text[next] === '+' || text[next] === '-') next += 1;
    if (!isDigit(text.charCodeAt(next))) throw unexpectedCharacter(text, next, 'in exponent of numeric literal');
    next = endOfDigits(text, next);
  }
  return next;
}

/** Returns the end of `true`, `false` or `null` at `at`. */
export function endOfLiteral(text: string, at: number, literal: 'true' | 'false' | 'null'): number {
  for (let i = 1; i < literal.length; i += 1) {
    if (text[at + i] !== literal[i]) throw unexpectedCharacter(text, at + i, `in literal ${literal} (expecting '${literal[i]}')`);
  }
  return at + literal.length;
}

/** Decodes the string whose opening quote is at `at`, and returns the offset after its closing quote. */
export function readJsonString(text: string, at: number): { readonly value: string; readonly end: number } {
  const end = endOfPlain(text, at + 1);
  if (text.charCodeAt(end) === 0x22) return { value: text.slice(at + 1, end), end: end + 1 };
  return readEscaped(text, at + 1, end);
}

/** Returns the offset of the first special character: a quote, an escape, a control character, a surrogate, the end. */
function endOfPlain(text: string, at: number): number {
  plain.lastIndex = at;
  return plain.test(text) ? plain.lastIndex : at;
}

const plain = /[^\x00-\x1f"\\\ud800-\udfff]+/y;

function readEscaped(text: string, start: number, firstSpecial: number): { value: string; end: number } {
  let value = text.slice(start, firstSpecial);
  let at = firstSpecial;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { value, end: at + 1 };
    if (code === 0x5c) {
      const decoded = readEscape(text, at);
      value += decoded.value;
      at = decoded.end;
    } else if (code >= 0xd800 && code <= 0xdfff) {
      const pair = (text.codePointAt(at) ?? 0) > 0xffff;
      value += pair ? text.slice(at, at + 2) : '\ufffd';
      at += pair ? 2 : 1;
    } else if (at >= text.length) {
      throw unexpectedEndOfJson(text);
    } else {
      throw unexpectedCharacter(text, at, 'in string literal');
    }
    const plainEnd = endOfPlain(text, at);
    value += text.slice(at, plainEnd);
    at = plainEnd;
  }
}

const shortEscapes = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function readEscape(text: string, at: number): { value: string; end: number } {
  const letter = text[at + 1] ?? '';
  if (letter !== 'u') {
    const short = shortEscapes.get(letter);
    if (short === undefined) throw unexpectedCharacter(text, at + 1, 'in string escape code');
    return { value: short, end: at + 2 };
  }
  for (let i = at + 2; i < at + 6; i += 1) {
    if (!isHexDigit(text.charCodeAt(i))) throw unexpectedCharacter(text, i, 'in \\u hexadecimal character escape');
  }
  const unit = hexUnit(text, at);
  if (unit < 0xd800 || unit > 0xdfff) return { value: String.fromCharCode(unit), end: at + 6 };
  const low = unit < 0xdc00 ? hexUnit(text, at + 6) : -1;
  if (low >= 0xdc00 && low <= 0xdfff) return { value: String.fromCharCode(unit, low), end: at + 12 };
  return { value: '\ufffd', end: at + 6 };
}

/** Returns the number of a `\uXXXX` at an offset; -1 if there is none. */
function hexUnit(text: string, at: number): number {
  const digits = text.slice(at + 2, at + 6);
  return text.startsWith('\\u', at) && /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1;
}

function endOfDigits(text: string, at: number): number {
  let next = at;
  while (isDigit(text.charCodeAt(next))) next += 1;
  return next;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}
