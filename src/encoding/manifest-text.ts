import { decodeUtf8Bytes } from '../go/utf8.js';

/**
 * Decodes a manifest file as kubectl does: UTF-16 after its byte order mark, otherwise UTF-8 in which every invalid sequence becomes one
 * U+FFFD. After a byte order mark of UTF-8 invalid bytes stay (as lone surrogates, see decodeUtf8Bytes). The mark is removed. Source:
 * golang.org/x/text/encoding/unicode BOMOverride.
 */
export function manifestText(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return utf16Text(bytes.subarray(2), 'little-endian');
  if (first === 0xfe && second === 0xff) return utf16Text(bytes.subarray(2), 'big-endian');
  if (first === 0xef && second === 0xbb && third === 0xbf) return decodeUtf8Bytes(bytes.subarray(3));
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Lone surrogates and an incomplete last unit become one U+FFFD each. */
function utf16Text(bytes: Uint8Array, order: 'little-endian' | 'big-endian'): string {
  const pairs = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  if (order === 'big-endian') pairs.swap16();
  return pairs.toString('utf16le').replace(/\p{Cs}/gu, '\ufffd') + (bytes.length % 2 === 1 ? '\ufffd' : '');
}
