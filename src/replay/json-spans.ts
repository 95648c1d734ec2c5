import { readUnchanged } from '../encoding/source-text.js';
import { JsonTypeError, unstructuredOf } from '../encoding/unstructured.js';
import { JsonSyntaxError, readValue } from '../go/json/reader.js';
import { isMap, type Value, type ValueMap } from '../go/value.js';

/** Where a JSON value is in a text. */
export interface Span {
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
}

/**
 * Returns the members of the JSON object that starts at an offset, as spans of their values; of duplicate keys the last one counts. Undefined when no
 * complete object starts there. Values are skipped, not checked: an event of the audit log is mostly objects that are read later or never.
 */
export function memberSpans(
  text: string,
  start: number,
): { readonly members: ReadonlyMap<string, Span>; readonly end: number } | undefined {
  if (text[start] !== '{') return undefined;
  const members = new Map<string, Span>();
  let at = skipSpace(text, start + 1);
  if (text[at] === '}') return { members, end: at + 1 };
  for (;;) {
    const keyEnd = text[at] === '"' ? stringEnd(text, at) : -1;
    if (keyEnd < 0) return undefined;
    const colon = skipSpace(text, keyEnd);
    if (text[colon] !== ':') return undefined;
    const value = skipSpace(text, colon + 1);
    const end = valueEnd(text, value);
    if (end < 0) return undefined;
    members.set(keyAt(text, at, keyEnd), { start: value, end });
    at = skipSpace(text, end);
    if (text[at] === '}') return { members, end: at + 1 };
    if (text[at] !== ',') return undefined;
    at = skipSpace(text, at + 1);
  }
}

/** Returns the spans of the items of the JSON array that starts at an offset; undefined when no complete array starts there. */
export function itemSpans(text: string, start: number): readonly Span[] | undefined {
  if (text[start] !== '[') return undefined;
  const items: Span[] = [];
  let at = skipSpace(text, start + 1);
  if (text[at] === ']') return items;
  for (;;) {
    const end = valueEnd(text, at);
    if (end < 0) return undefined;
    items.push({ start: at, end });
    at = skipSpace(text, end);
    if (text[at] === ']') return items;
    if (text[at] !== ',') return undefined;
    at = skipSpace(text, at + 1);
  }
}

/** Returns a string, or `''` for a value that is none. */
export function stringIn(text: string, span: Span | undefined): string {
  if (span === undefined || text[span.start] !== '"') return '';
  const raw = text.slice(span.start, span.end);
  if (!raw.includes('\\')) return raw.slice(1, -1);
  try {
    return String(JSON.parse(raw));
  } catch {
    return '';
  }
}

function keyAt(text: string, start: number, end: number): string {
  return stringIn(text, { start, end });
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** Returns the offset behind a string; -1 if it does not end. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return -1;
}

/** Returns the offset behind a value; -1 if it does not end. */
function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === 0x22) return stringEnd(text, start);
  if (first === 0x7b || first === 0x5b) return nestedEnd(text, start);
  let at = start;
  // Numbers and literals.
  while (at < text.length && /[-+.\w]/.test(text[at] ?? '')) at += 1;
  return at === start ? -1 : at;
}

function nestedEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = stringEnd(text, at) - 1;
      if (at < 0) return -1;
    } else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** Reads the object of a text without losing digits; undefined for a text that is no JSON object. */
export function objectIn(text: string): ValueMap | undefined {
  const value = text.startsWith('{') ? valueIn(text) : undefined;
  return isMap(value) ? value : undefined;
}

/** Reads an object that is not changed afterwards in the same way; its text is kept for its next decoding. */
export function unchangedIn(text: string): ValueMap | undefined {
  return text.startsWith('{') ? readable(() => readUnchanged(text)) : undefined;
}

/** Reads a text without losing digits; undefined for a text that is not JSON. */
export function valueIn(text: string): Value | undefined {
  return readable(() => unstructuredOf(readValue(text, 0).node));
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonTypeError) return undefined;
    throw error;
  }
}
