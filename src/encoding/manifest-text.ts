import { decodeUtf8Bytes } from './utf8.js';

/**
 * The text of a manifest file as kubectl takes it: UTF-16 behind its byte order mark, otherwise UTF-8 in which every sequence that is none becomes one
 * U+FFFD. Behind a byte order mark of UTF-8 such bytes stay (as lone surrogates, see decodeUtf8Bytes). The mark itself is gone.
 * Source: golang.org/x/text/encoding/unicode BOMOverride.
 */
export function manifestText(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return utf16Text(bytes.subarray(2), 'utf-16le');
  if (first === 0xfe && second === 0xff) return utf16Text(bytes.subarray(2), 'utf-16be');
  if (first === 0xef && second === 0xbb && third === 0xbf) return decodeUtf8Bytes(bytes.subarray(3));
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function utf16Text(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}
