import type { Cursor } from './cursor.js';
import type { YamlScalarNode } from './nodes.js';

/** Text that only the complete parser reads: unusual or invalid. */
export class NotCommon extends Error {
  override readonly name = 'NotCommon';
}

/** Goes forward within a line, over characters of one UTF-16 unit. */
export function moveBy(cursor: Cursor, units: number): void {
  cursor.at += units;
  cursor.index += units;
  cursor.column += units;
}

export function skipSpaces(cursor: Cursor): void {
  const { text } = cursor.input;
  let { at } = cursor;
  while (text.charCodeAt(at) === 0x20) at += 1;
  moveBy(cursor, at - cursor.at);
}

/** Is this the end of a line, or a comment? The cursor is after white space. */
export function atLineEnd(cursor: Cursor): boolean {
  const code = cursor.input.text.charCodeAt(cursor.at);
  return code === 0x0a || code === 0x23 || Number.isNaN(code);
}

/** Does an entry of a block sequence start here? */
export function startsEntry(cursor: Cursor): boolean {
  const { text } = cursor.input;
  return text.charCodeAt(cursor.at) === 0x2d && isSpaceOrEnd(text.charCodeAt(cursor.at + 1));
}

/** Is this a space, a line feed or the end of the text? */
export function isSpaceOrEnd(code: number): boolean {
  return code === 0x20 || code === 0x0a || Number.isNaN(code);
}

/** Skips the rest of a line, which is white space or a comment, and goes to the next content. */
export function atNextContent(cursor: Cursor): void {
  const { text } = cursor.input;
  const from = cursor.at;
  skipSpaces(cursor);
  const code = text.charCodeAt(cursor.at);
  if (!atLineEnd(cursor) || (code === 0x23 && cursor.at === from && text.charCodeAt(from - 1) !== 0x20)) throw new NotCommon();
  const end = code === 0x0a ? cursor.at : text.indexOf('\n', cursor.at);
  if (end < 0) endText(cursor);
  else contentFrom(cursor, end + 1, cursor.line + 1);
}

/** Goes to the first content at or after the start of a line; column -1 means that there is none. Throws NotCommon for document indicators. */
export function contentFrom(cursor: Cursor, lineStart: number, line: number): void {
  const { text } = cursor.input;
  let start = lineStart;
  for (let lines = 0; start < text.length; lines += 1) {
    let at = start;
    let code = text.charCodeAt(at);
    while (code === 0x20) {
      at += 1;
      code = text.charCodeAt(at);
    }
    if (code !== 0x0a && code !== 0x23) {
      if (Number.isNaN(code)) break;
      if (at === start && (text.startsWith('---', at) || text.startsWith('...', at) || code === 0x25)) throw new NotCommon();
      cursor.at = at;
      cursor.index = at;
      cursor.line = line + lines;
      cursor.column = at - start;
      return;
    }
    const end = code === 0x0a ? at : text.indexOf('\n', at);
    if (end < 0) break;
    start = end + 1;
  }
  endText(cursor);
}

function endText(cursor: Cursor): void {
  cursor.at = cursor.input.text.length;
  cursor.column = -1;
}

/** A missing value. */
export function emptyScalarAt({ line, column }: Cursor): YamlScalarNode {
  return { kind: 'scalar', line, column, tag: '', value: '', implicit: true };
}
