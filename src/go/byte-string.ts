import { quote } from './quote.js';
import { decodeUtf8Bytes, encodeUtf8Bytes, wellFormed } from './utf8.js';

/*
 * Byte strings: one character for each byte, as headers are read from the wire. Texts hold the same bytes decoded.
 */

/** Decodes a byte string without loss, see `decodeUtf8Bytes`. */
export function decodeByteString(bytes: string): string {
  return /[\x80-\xff]/.test(bytes) ? decodeUtf8Bytes(Buffer.from(bytes, 'latin1')) : bytes;
}

/** Returns the bytes of a text as a byte string. */
export function encodeByteString(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(encodeUtf8Bytes(text)).toString('latin1') : text;
}

/** Decodes a byte string; every byte that is not part of valid UTF-8 becomes U+FFFD. */
export function utf8Text(bytes: string): string {
  return wellFormed(decodeByteString(bytes));
}

/** Returns a byte string in double quotes; bytes that are not UTF-8 become `\xff`. Source: Go strconv.Quote. */
export function quoteByteString(bytes: string): string {
  return quote(decodeByteString(bytes));
}
