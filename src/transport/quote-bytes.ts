import { quoteInner } from '../kubernetes/quote.js';

/** Bytes (one a character) in double quotes as Go prints a string that holds them: what is no UTF-8 becomes `\xff`. Source: Go strconv.Quote. */
export function quoteBytes(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return `"${quoteInner(bytes)}"`;
  let out = '';
  let at = 0;
  while (at < bytes.length) {
    const character = utf8At(bytes, at);
    out += character === undefined ? `\\x${bytes.charCodeAt(at).toString(16).padStart(2, '0')}` : quoteInner(character);
    at += character === undefined ? 1 : Buffer.byteLength(character);
  }
  return `"${out}"`;
}

/** The text that bytes (one a character) stand for; what is no UTF-8 becomes U+FFFD. */
export function utf8Text(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

function utf8At(bytes: string, at: number): string | undefined {
  const first = bytes.charCodeAt(at);
  if (first < 0x80) return bytes.charAt(at);
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(Buffer.from(bytes.slice(at, at + length), 'latin1'));
  } catch {
    return undefined;
  }
}
