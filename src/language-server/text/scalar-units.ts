import { ownMember } from '../../go/own-members.js';
import { isBlankAt, isBreakAt } from './line-starts.js';
import type { ScalarStyle, ScalarTextNode } from './text-node.js';

/** Characters of a scalar's value that are not white space, in order: each with the range of its spelling in the text. */
interface Unit {
  readonly start: number;
  readonly end: number;
  /** Number of UTF-16 units in the value. */
  readonly length: number;
  /** From an escape, such as `\n`. */
  readonly isSpace: boolean;
}

/**
 * Returns the offset in the text of an index into a scalar's value. White space changes when lines are folded and indentation is removed, so the
 * other characters are counted, which are the same in both.
 */
export function offsetInScalar(text: string, node: ScalarTextNode, index: number): number {
  const units = unitsOf(text, node);
  let before = 0;
  let spaces = 0;
  for (let at = 0; at < Math.min(index, node.value.length); at += 1) {
    if (isSpace(node.value.charCodeAt(at))) {
      spaces += 1;
    } else {
      before += 1;
      spaces = 0;
    }
  }
  const isOn = index < node.value.length && !isSpace(node.value.charCodeAt(index));
  let last: Unit | undefined;
  let count = 0;
  for (const unit of units) {
    if (unit.isSpace) continue;
    if (isOn && count <= before && before < count + unit.length)
      return unit.start + (unit.end - unit.start === unit.length ? before - count : 0);
    if (!isOn && count + unit.length > before) break;
    count += unit.length;
    last = unit;
  }
  const from = last?.end ?? contentStart(text, node);
  return Math.min(spacesAfter(text, from, spaces), node.end);
}

/** Returns the index into a scalar's value of an offset in the text: that of the first character at or after it. */
export function indexInScalar(text: string, node: ScalarTextNode, offset: number): number {
  let low = 0;
  let high = node.value.length;
  // Offsets rise with the index.
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsetInScalar(text, node, middle) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns where the characters of a scalar start, after its quote or the header of a block. */
export function contentStart(text: string, { start, style }: ScalarTextNode): number {
  if (style === 'plain') return start;
  if (style === 'single' || style === 'double') return start + 1;
  let at = start;
  while (at < text.length && !isBreakAt(text.charCodeAt(at))) at += 1;
  return text.startsWith('\r\n', at) ? at + 2 : at + 1;
}

function spacesAfter(text: string, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0 && at < text.length && (isBlankAt(text.charCodeAt(at)) || isBreakAt(text.charCodeAt(at))); left -= 1)
    at += 1;
  return at;
}

/** White space of folded lines. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || isBreakAt(code);
}

function* unitsOf(text: string, node: ScalarTextNode): Generator<Unit> {
  let at = contentStart(text, node);
  while (at < node.end) {
    const unit = unitAt(text, at, node.style);
    if (unit === undefined) return;
    if (unit.length > 0) yield unit;
    at = unit.end;
  }
}

function unitAt(text: string, at: number, style: ScalarStyle): Unit | undefined {
  const code = text.charCodeAt(at);
  if (isSpace(code)) return { start: at, end: at + 1, length: 1, isSpace: true };
  if (style === 'single' && code === 0x27) {
    return text.charCodeAt(at + 1) === 0x27 ? { start: at, end: at + 2, length: 1, isSpace: false } : undefined;
  }
  if (style !== 'double') return { start: at, end: at + 1, length: 1, isSpace: false };
  if (code === 0x22) return undefined;
  return code === 0x5c ? escapeAt(text, at) : { start: at, end: at + 1, length: 1, isSpace: false };
}

const digitsOf: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const spaceEscapes = 'tnrNLP \t';

function escapeAt(text: string, at: number): Unit {
  const letter = text[at + 1] ?? '';
  const digits = ownMember(digitsOf, letter) ?? 0;
  const end = at + 2 + digits;
  // An escaped line break is nothing.
  if (isBreakAt(letter.charCodeAt(0))) return { start: at, end, length: 0, isSpace: true };
  if (digits === 0) return { start: at, end, length: 1, isSpace: spaceEscapes.includes(letter) };
  const code = Number.parseInt(text.slice(at + 2, end), 16);
  return { start: at, end, length: code > 0xffff ? 2 : 1, isSpace: isSpace(code) };
}
