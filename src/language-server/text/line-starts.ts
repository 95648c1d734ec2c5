/** Offsets of a text by lines, as YAML counts them: they end at CR, LF, CRLF, NEL, U+2028 and U+2029. */
export interface Lines {
  readonly text: string;
  /** Offset of each line in `text`. */
  readonly starts: readonly number[];
}

const lineBreaks = /\r\n|[\n\r\x85\u2028\u2029]/g;

export function linesOfText(text: string): Lines {
  const starts = [0];
  for (const match of text.matchAll(lineBreaks)) starts.push(match.index + match[0].length);
  return { text, starts };
}

/** Returns the UTF-16 offset of a position of the YAML parser: a line, and a column in characters, both counted from 0. */
export function offsetAt({ text, starts }: Lines, line: number, column: number): number {
  let at = starts[line] ?? text.length;
  for (let left = column; left > 0 && at < text.length; left -= 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

/** Returns the offset of the end of the line that contains an offset, before its line break and trailing white space. */
export function lineEnd(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && !isBreakAt(text.charCodeAt(end))) end += 1;
  while (end > offset && isBlankAt(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

export function isBreakAt(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029;
}

export function isBlankAt(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
