import { isPrintable } from './printable.js';

/**
 * A text in double quotes with Go's escapes, as %q prints it: what can be printed stays, the rest becomes `\n`, `\x01`, `\u00a0` ...
 * Source: Go strconv.Quote.
 */
export function quote(text: string): string {
  return `"${quoteInner(text)}"`;
}

/** The same in ASCII, as %+q prints it: `"caf\u00e9"`. Source: Go strconv.QuoteToASCII. */
export function quoteToAscii(text: string): string {
  return quote(text).replace(/[^ -~]/gu, numeric);
}

/** The text without the quotes around it. A lone surrogate that stands for a byte (U+DC80 to U+DCFF) becomes `\xff`. */
export function quoteInner(text: string): string {
  if (plain.test(text)) return text;
  let out = '';
  for (const character of text) out += escaped(character);
  return out;
}

const plain = /^[ !#-[\]-~]*$/;
const shortEscapes = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

function escaped(character: string): string {
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  if (code >= 0xd800 && code < 0xe000) return '\ufffd';
  return isPrintable(character) ? character : numeric(character);
}

function numeric(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}
