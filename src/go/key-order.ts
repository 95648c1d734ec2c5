import { encodeUtf8Bytes } from './utf8.js';

/** Compares two texts by their UTF-8 bytes, as Go sorts keys: negative, zero or positive, for `Array.sort`. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    if (isSurrogate(left) || isSurrogate(right)) return Buffer.compare(encodeUtf8Bytes(a), encodeUtf8Bytes(b));
    return left - right;
  }
  return a.length - b.length;
}

/** UTF-16 orders characters beyond U+FFFF (surrogates) before U+E000, UTF-8 after it; and a lone surrogate may be a byte. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
