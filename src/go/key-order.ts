import { encodeUtf8Bytes } from './utf8.js';

/** The order of two texts by their UTF-8 bytes, in which Go sorts keys: negative, zero or positive as `Array.sort` wants it. */
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

/** UTF-16 puts the characters beyond U+FFFF (surrogates) before U+E000 and the like, UTF-8 behind them; and a lone one may stand for a byte. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
