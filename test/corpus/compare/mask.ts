import { memoize } from '../../../src/kubernetes/memoize.js';
import { isJson } from './json-tree.js';

/**
 * Replaces the values at the JSON pointers by their kind: a uid, a time, digits, a string. Everything else is unchanged. Text that is not
 * JSON is returned unchanged.
 */
export function masked(text: string, pointers: readonly string[]): string {
  if (pointers.length === 0 || !isJson(text)) return text;
  const found = spansOf(text, pointers).sort((a, b) => a.start - b.start || b.end - a.end);
  let out = '';
  let at = 0;
  for (const { pointer, start, end } of found) {
    if (start < at) continue;
    out += text.slice(at, start) + shapeOf(pointer, text.slice(start, end));
    at = end;
  }
  return out + text.slice(at);
}

/** A lower-case uid, as a pattern. */
export const uidPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

interface Span {
  readonly pointer: string;
  readonly start: number;
  readonly end: number;
}

/** Pointers as a tree of their parts; `pointer` marks the end of one. */
interface PointerTree {
  pointer?: string;
  readonly children: Map<string, PointerTree>;
}

/** Both texts of a comparison have the same pointers. */
const pointersAsTree = memoize(pointerTree);

function pointerTree(pointers: readonly string[]): PointerTree {
  const root: PointerTree = { children: new Map() };
  for (const pointer of pointers) {
    let at = root;
    for (const part of pointer.split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const child = at.children.get(key) ?? { children: new Map() };
      at.children.set(key, child);
      at = child;
    }
    at.pointer = pointer;
  }
  return root;
}

function spansOf(text: string, pointers: readonly string[]): Span[] {
  const spans: Span[] = [];
  const root = pointersAsTree(pointers);
  const visit = (start: number, node: PointerTree | undefined): number => {
    const end = node !== undefined && node.children.size > 0 && isOpening(text[start]) ? visitParts(start, node) : endOfValue(text, start);
    if (node?.pointer !== undefined) spans.push({ pointer: node.pointer, start, end });
    return end;
  };
  const visitParts = (start: number, node: PointerTree): number => {
    const isObject = text[start] === '{';
    let at = skipSpace(text, start + 1);
    for (let index = 0; text[at] !== '}' && text[at] !== ']'; index += 1) {
      let key = String(index);
      if (isObject) {
        const keyEnd = endOfScalar(text, at);
        key = String(JSON.parse(text.slice(at, keyEnd)));
        at = skipSpace(text, skipSpace(text, keyEnd) + 1);
      }
      at = skipSpace(text, visit(at, node.children.get(key)));
      if (text[at] === ',') at = skipSpace(text, at + 1);
    }
    return at + 1;
  };
  visit(skipSpace(text, 0), root);
  return spans;
}

function isOpening(character: string | undefined): boolean {
  return character === '{' || character === '[';
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\t' || text[at] === '\r') at += 1;
  return at;
}

function endOfScalar(text: string, from: number): number {
  return endOfMatch(/"(?:[^"\\]|\\[\s\S])*"|[^\s{}[\],:"]+/y, text, from);
}

function endOfValue(text: string, from: number): number {
  if (!isOpening(text[from])) return endOfScalar(text, from);
  const bracket = /"(?:[^"\\]|\\[\s\S])*"|[{}[\]]/g;
  bracket.lastIndex = from;
  let depth = 0;
  for (let match = bracket.exec(text); match !== null; match = bracket.exec(text)) {
    if (isOpening(match[0])) depth += 1;
    else if (match[0] === '}' || match[0] === ']') depth -= 1;
    if (depth === 0) return bracket.lastIndex;
  }
  return text.length;
}

function endOfMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match === null ? from : from + match[0].length;
}

const timePattern = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)';

/** Returns the mask of a volatile value: its kind, so that a uid must be a uid and a time a time. */
function shapeOf(pointer: string, raw: string): string {
  if (isOpening(raw[0])) return '"<object>"';
  if (!raw.startsWith('"')) return ['true', 'false', 'null'].includes(raw) ? raw : '"<number>"';
  let text: string;
  try {
    text = String(JSON.parse(raw));
  } catch {
    return raw;
  }
  if (new RegExp(`^${uidPattern}$`).test(text)) return '"<uid>"';
  const time = new RegExp(`^${timePattern}$`).exec(text);
  if (time !== null) return time[1] === undefined ? '"<time>"' : '"<micro time>"';
  if (/^\d+$/.test(text)) return '"<digits>"';
  return pointer.endsWith('/message') ? JSON.stringify(fixedWords(text)) : '"<text>"';
}

/** A volatile message: only its uids, times, numbers and random suffixes may differ. */
function fixedWords(message: string): string {
  return message
    .replace(new RegExp(uidPattern, 'gi'), '<uid>')
    .replace(new RegExp(timePattern, 'g'), '<time>')
    .replace(/(?<=-)[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])|(?<=[a-z.-])[bcdfghjklmnpqrstvwxz2456789]{5}(?=")/g, '<random>')
    .replace(/\d+/g, '<n>');
}
