import { encodeUtf8Bytes } from './utf8.js';

/** Not a valid time or duration; the message is Go's. */
export class TimeError extends Error {
  override readonly name = 'TimeError';
}

/** Quotes a text like Go's package time: bytes that are not printable ASCII as `\xc3\xa9`. */
export function quoteForTime(text: string): string {
  const escaped = text.replace(/["\\]|[^ -\x7f]+/g, found => {
    if (found === '"' || found === '\\') return `\\${found}`;
    return [...encodeUtf8Bytes(found)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  });
  return `"${escaped}"`;
}
