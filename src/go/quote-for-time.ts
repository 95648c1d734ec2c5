import { encodeUtf8Bytes } from './utf8.js';

/** The text is no time or no duration; the message is Go's. */
export class TimeError extends Error {
  override readonly name = 'TimeError';
}

/** A text in quotes as Go's package time has it: what is not printable ASCII byte by byte, `\xc3\xa9`. */
export function quoteForTime(text: string): string {
  const escaped = text.replace(/["\\]|[^ -\x7f]+/g, found => {
    if (found === '"' || found === '\\') return `\\${found}`;
    return [...encodeUtf8Bytes(found)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  });
  return `"${escaped}"`;
}
