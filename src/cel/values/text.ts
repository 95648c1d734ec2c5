/** How many code points a text has: what Go counts as characters. */
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

/** How many bytes a text has in UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
