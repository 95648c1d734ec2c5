import { isPrintable } from './printable.js';
import { decodeUtf8Bytes } from './utf8.js';

/**
 * Returns a text in double quotes with Go's escapes, as %q prints it: printable characters stay, the rest becomes `\n`, `\x01`, `\u00a0`.
 * A byte that is not UTF-8 (see `decodeUtf8Bytes`) becomes `\xff`. Source: Go strconv.Quote.
 */
export function quote(text: string): string {
  return `"${quoteInner(text)}"`;
}

/** Returns bytes in double quotes: those that are not UTF-8 as `\xff`. */
export function quoteBytes(bytes: Uint8Array): string {
  return quote(decodeUtf8Bytes(bytes));
}

/** Returns the text quoted in ASCII, as %+q prints it: `"caf\u00e9"`. Source: Go strconv.QuoteToASCII. */
export function quoteToAscii(text: string): string {
  return quote(text).replace(/[^ -~]/gu, numeric);
}

/** Returns the quoted text without the quotes around it. */
export function quoteInner(text: string): string {
  if (plain.test(text)) return text;
  // In blocks: the matches of a text of megabytes would take far more memory than the result.
  const blocks: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = blockEnd(text, start);
    blocks.push(text.slice(start, end).replace(special, escaped));
    start = end;
  }
  return blocks.join('');
}

const plain = /^[ !#-[\]-~]*$/;
const special = /[^ !#-[\]-~]/gu;
const blockSize = 16_384;
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

/** Returns the end of a block, which must not fall between two surrogates. */
function blockEnd(text: string, start: number): number {
  const end = start + blockSize;
  if (end >= text.length) return text.length;
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;
}

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
