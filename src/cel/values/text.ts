/** Number of code points of a string, which is what Go counts as characters. */
export function codePointCount(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      count -= 1;
      i += 1;
    }
  }
  return count;
}

/** Number of bytes of a string in UTF-8. */
export function celByteLength(text: string): number {
  return Buffer.byteLength(text);
}
