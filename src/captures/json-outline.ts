import { skipWhitespace } from '../go/json/tokens.js';
import type { Markers } from './markers.js';

/** A part of a JSON value that may be a capture, or a string that may contain one. */
export interface OutlinePart {
  readonly type: 'object' | 'string';
  readonly start: number;
  readonly end: number;
}

/** Result of reading a JSON value without building it. */
export type Outline =
  | { readonly outcome: 'read'; readonly end: number; readonly parts: readonly OutlinePart[] }
  /** `open`: the starts of the containers that have not ended, in which JSON that begins there is invalid, too. */
  | { readonly outcome: 'failed'; readonly at: number; readonly open: readonly number[] };

interface Open {
  readonly start: number;
  readonly isObject: boolean;
  /** Bits of the known keys. */
  keys: number;
}

/** Max nesting, as in Go. */
const maxDepth = 10_000;

const kindKey = 1;
const requestKeys = ['"uid"', '"operation"', '"userInfo"', '"resource"'];
const allKeys = (1 << (requestKeys.length + 1)) - 1;
const captureKind = 1 << (requestKeys.length + 1);

/**
 * Reads the JSON value at an offset as strictly as Go, in one pass and in memory that does not depend on its size. Returns the parts that may be or contain
 * captures, inner ones before outer ones.
 */
export function outlineAt(text: string, from: number, markers: Markers): Outline {
  const parts: OutlinePart[] = [];
  const open: Open[] = [];
  const failed = (at: number): Outline => ({ outcome: 'failed', at, open: open.map(({ start }) => start) });
  const close = (end: number): void => {
    const closed = open.pop();
    if (closed === undefined || !mayBeCapture(closed.keys) || !markers.isBetween(closed.start, end)) return;
    parts.push({ type: 'object', start: closed.start, end });
  };
  let at = from;
  for (;;) {
    at = skipWhitespace(text, at);
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) {
      if (open.length === maxDepth) return failed(at);
      const opened: Open = { start: at, isObject: code === 0x7b, keys: 0 };
      open.push(opened);
      at = skipWhitespace(text, at + 1);
      if (text.charCodeAt(at) !== code + 2) {
        if (!opened.isObject) continue;
        const value = afterKey(text, at, opened);
        if (value < 0) return failed(-value);
        at = value;
        continue;
      }
      at += 1;
      close(at);
    } else if (code === 0x22) {
      const end = endOfString(text, at);
      if (end < 0) return failed(-end);
      if (markers.isBetween(at, end) && text.slice(at, end).includes('{')) parts.push({ type: 'string', start: at, end });
      at = end;
    } else {
      const end = endOfPlainScalar(text, at);
      if (end === at) return failed(at);
      at = end;
    }
    // The end of a value may also be the end of its containers.
    for (;;) {
      const around = open.at(-1);
      if (around === undefined) return { outcome: 'read', end: at, parts };
      at = skipWhitespace(text, at);
      const next = text.charCodeAt(at);
      if (next === 0x2c) {
        at += 1;
        if (!around.isObject) break;
        const value = afterKey(text, skipWhitespace(text, at), around);
        if (value < 0) return failed(-value);
        at = value;
        break;
      }
      if (next !== (around.isObject ? 0x7d : 0x5d)) return failed(at);
      at += 1;
      close(at);
    }
  }
}

/** Is this a review, an event, or has it all members of a request? */
function mayBeCapture(keys: number): boolean {
  return (keys & captureKind) !== 0 || (keys & allKeys) === allKeys;
}

/** Returns the offset after a key and its colon; for anything else its offset, negative. */
function afterKey(text: string, at: number, object: Open): number {
  if (text.charCodeAt(at) !== 0x22) return -at;
  const end = endOfString(text, at);
  if (end < 0) return end;
  const colon = skipWhitespace(text, end);
  if (text.charCodeAt(colon) !== 0x3a) return -colon;
  if (text.startsWith('"kind"', at)) {
    const value = skipWhitespace(text, colon + 1);
    const isCapture = text.startsWith('"AdmissionReview"', value) || text.startsWith('"Event"', value);
    object.keys |= isCapture ? kindKey | captureKind : kindKey;
  } else for (const [i, key] of requestKeys.entries()) if (text.startsWith(key, at)) object.keys |= 1 << (i + 1);
  return colon + 1;
}

/** Returns the offset after the string at a quote; the offset of what ends it too early, negative. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; ; ) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    const end = code === 0x5c ? matchEnd(escapeSequence, text, at) : matchEnd(plain, text, at);
    if (end === at) return -at;
    at = end;
  }
}

const plain = /[^\x00-\x1f"\\]+/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const scalar = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

function endOfPlainScalar(text: string, at: number): number {
  return matchEnd(scalar, text, at);
}

function matchEnd(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}
