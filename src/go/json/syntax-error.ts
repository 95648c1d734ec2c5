import { quoteInner } from '../quote.js';

/** Not valid JSON; the message is Go's. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  /** Offset of the error; the length of the text if it ended too early. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Returns the error for a text that ends inside a value. */
export function unexpectedEndOfJson(text: string): JsonSyntaxError {
  return new JsonSyntaxError('unexpected end of JSON input', text.length);
}

/**
 * Returns the error for a character that is not allowed at an offset: `invalid character 'x' after object key`. Go reads bytes, so it
 * names the first byte of a character beyond ASCII; at the end of the text it names the space that it feeds to its scanner to find out
 * whether the token was complete. Source: encoding/json scanner.eof.
 */
export function unexpectedCharacter(text: string, offset: number, context: string): JsonSyntaxError {
  const byte = offset < text.length ? firstByte(text.codePointAt(offset) ?? 0) : 0x20;
  return new JsonSyntaxError(`invalid character ${quotedByte(byte)} ${context}`, offset);
}

function quotedByte(byte: number): string {
  if (byte === 0x27) return "'\\''";
  if (byte === 0x22) return "'\"'";
  return `'${quoteInner(String.fromCharCode(byte))}'`;
}

/**
 * Returns the first byte of a code point in UTF-8; of a lone surrogate the byte it represents (see decodeUtf8Bytes), otherwise the first of
 * U+FFFD.
 */
function firstByte(codePoint: number): number {
  if (codePoint < 0x80) return codePoint;
  if (codePoint < 0x800) return 0xc0 | (codePoint >> 6);
  if (codePoint >= 0xdc80 && codePoint <= 0xdcff) return codePoint - 0xdc00;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 0xef;
  return codePoint < 0x10000 ? 0xe0 | (codePoint >> 12) : 0xf0 | (codePoint >> 18);
}
