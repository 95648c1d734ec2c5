/** The order of two texts by their UTF-8 bytes, in which Go sorts keys: negative, zero or positive as `Array.sort` wants it. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return left >= 0xd800 && right >= 0xd800 ? byteRank(left) - byteRank(right) : left - right;
  }
  return a.length - b.length;
}

/** UTF-16 puts the characters beyond U+FFFF (surrogates) before U+E000 and the like, UTF-8 behind them. */
function byteRank(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
