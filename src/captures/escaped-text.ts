import { ownMember } from '../go/own-members.js';
import { type Layer, LayerBuilder } from './layer.js';

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '"': '"', "'": "'", '\\': '\\', '/': '/' };

export type Quote = '"' | "'";

/** Returns the length of a quote at which a string literal continues in the next line of source code (`" +`, `"`); otherwise 0. */
export function continuationAt(text: string, at: number): number {
  continuation.lastIndex = at;
  return continuation.exec(text)?.[0].length ?? 0;
}

const continuation = /"[ \t]*\+?[ \t]*\r?\n[ \t]*\+?[ \t]*"/y;

/**
 * Decodes a string literal of JSON, Go or Python from an offset inside it to its closing quote. Returns the decoded text and the offset after
 * the quote; without a quote the literal ends with the text.
 */
export function unescaped(layer: Layer, from: number, quote: Quote): { readonly layer: Layer; readonly end: number } {
  const { text } = layer;
  const builder = new LayerBuilder(layer);
  let copied = from;
  let at = from;
  while (at < text.length) {
    const character = text[at];
    if (character === quote) {
      const skipped = quote === '"' ? continuationAt(text, at) : 0;
      if (skipped === 0) break;
      builder.copy(copied, at);
      at += skipped;
      copied = at;
    } else if (character === '\\') {
      const { decoded, length } = escapeAt(text, at);
      builder.copy(copied, at);
      builder.put(decoded, at);
      at += length;
      copied = at;
    } else at = endOfPlain(text, at);
  }
  builder.copy(copied, at);
  return { layer: builder.build(), end: at + 1 };
}

/** Returns the same offset without decoding. */
export function endOfQuoted(text: string, from: number, quote: Quote): number {
  for (let at = from; at < text.length; ) {
    const character = text[at];
    if (character === '\\') at += 2;
    else if (character !== quote) at = endOfPlain(text, at);
    else {
      const skipped = quote === '"' ? continuationAt(text, at) : 0;
      if (skipped === 0) return at + 1;
      at += skipped;
    }
  }
  return text.length + 1;
}

/** Returns the offset of the next quote or backslash after an offset. */
function endOfPlain(text: string, at: number): number {
  plain.lastIndex = at + 1;
  return plain.test(text) ? plain.lastIndex : at + 1;
}

const plain = /[^\\"']+/y;

/** Decodes the escape at a backslash. Unknown ones stay as they are, as in Python. */
function escapeAt(text: string, at: number): { readonly decoded: string; readonly length: number } {
  const known = ownMember(escapes, text[at + 1] ?? '');
  if (known !== undefined) return { decoded: known, length: 2 };
  const code = /^\\(?:u([0-9a-fA-F]{4})|((?:x[0-9a-fA-F]{2})))/.exec(text.slice(at, at + 6));
  if (code?.[1] !== undefined) return { decoded: String.fromCharCode(Number.parseInt(code[1], 16)), length: 6 };
  if (code?.[2] !== undefined) return hexBytesAt(text, at);
  return { decoded: text.slice(at, at + 2), length: 2 };
}

/** `\xc3\xa9` is the UTF-8 of one character. */
function hexBytesAt(text: string, at: number): { readonly decoded: string; readonly length: number } {
  const run = /(?:\\x[0-9a-fA-F]{2})+/y;
  run.lastIndex = at;
  const found = run.exec(text)?.[0] ?? '';
  return { decoded: Buffer.from(found.replaceAll('\\x', ''), 'hex').toString('utf8'), length: found.length };
}
