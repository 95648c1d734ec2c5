import { placeInJson } from '../encoding/node-places.js';
import { JsonTypeError, unstructuredOf } from '../encoding/unstructured.js';
import { readValue } from '../go/json/reader.js';
import { skipWhitespace } from '../go/json/tokens.js';
import type { ValueMap } from '../go/value.js';
import { capturedObject } from './captured-kind.js';
import { continuationAt, endOfQuoted, type Quote, unescaped } from './escaped-text.js';
import { type OutlinePart, outlineAt } from './json-outline.js';
import type { Layer } from './layer.js';
import { literalAsJson } from './literal.js';
import { type Markers, markersOf } from './markers.js';

/** A capture, and where it is in the file. */
export interface Capture {
  readonly object: ValueMap;
  /** First and last offset. */
  readonly start: number;
  readonly last: number;
  /** Is this only the request of a review, so that the version of the review is assumed? */
  readonly isRequest: boolean;
  /** Returns the offset of a JSON pointer. */
  readonly offsetOf: (pointer: string) => number;
}

/** Limits the characters that failed attempts may read, so that a hostile text takes linear time. */
export interface Effort {
  left: number;
  /** Offset in the file at which the search ended because nothing was left. */
  endedAt?: number;
}

/** Strings in strings: a text in a log line of a container in a log of logs has three levels. */
const maxLevels = 8;

/** The API server sends at most 3 MiB per object, and escapes need more. */
const maxCaptureLength = 32 * 1024 * 1024;

/** Finds captures in JSON, in escaped JSON and in literals of Python and JavaScript, at any place of a text. */
export function capturesInText(layer: Layer, effort: Effort, level = 0): Capture[] {
  const { text } = layer;
  const search: Search = {
    layer,
    effort,
    level,
    markers: markersOf(text),
    failedJson: [],
    failedLiterals: [],
    searched: { '"': 0, "'": 0 },
  };
  const found: Capture[] = [];
  for (let at = text.indexOf('{'); at !== -1 && search.markers.isBetween(at); ) {
    if (effort.left <= 0) {
      effort.endedAt ??= layer.originOf(at);
      break;
    }
    const read = objectAt(search, at);
    for (const capture of read?.captures ?? []) found.push(capture);
    at = text.indexOf('{', read?.end ?? at + 1);
  }
  return found;
}

interface Search {
  readonly layer: Layer;
  readonly effort: Effort;
  readonly level: number;
  readonly markers: Markers;
  /** Starts of containers that are known to be invalid JSON or an invalid literal, of the last attempts. */
  failedJson: ReadonlySet<number>[];
  failedLiterals: ReadonlySet<number>[];
  /** Everything before these offsets was searched as part of a literal with this quote. */
  readonly searched: Record<Quote, number>;
}

interface Read {
  readonly captures: readonly Capture[];
  readonly end: number;
}

function objectAt(search: Search, at: number): Read | undefined {
  const { text } = search.layer;
  const next = skipWhitespace(text, at + 1);
  if (text[next] === '\\') return escapedAt(search, at);
  // The representation of a string or of bytes in Python: a backslash of JSON is doubled.
  const quoted = text[at - 1] === "'" ? inLiteral(search, at, "'") : undefined;
  if (quoted !== undefined) return quoted;
  return (text[next] === '"' ? jsonAt(search, at) : undefined) ?? literalAt(search, at);
}

function jsonAt(search: Search, at: number): Read | undefined {
  if (search.failedJson.some(starts => starts.has(at))) return undefined;
  const { layer, markers, effort } = search;
  const outline = outlineAt(layer.text, at, markers);
  if (outline.outcome === 'read') return { captures: capturesOf(outline.parts, search), end: outline.end };
  effort.left -= outline.at - at;
  search.failedJson = withFailed(search.failedJson, outline.open);
  return undefined;
}

/** Attempts differ in where they take strings to begin, which is one of two ways. */
function withFailed(failed: readonly ReadonlySet<number>[], open: readonly number[]): ReadonlySet<number>[] {
  return [new Set(open), ...failed].slice(0, 2);
}

/** A brace in a quoted text: the quotes after it are escaped, or white space is. */
function escapedAt(search: Search, at: number): Read | undefined {
  const { text } = search.layer;
  const first = /^\{(?:\s|\\[nrt])*(\\*)["']/.exec(text.slice(at, at + 1000));
  if (first === null) return undefined;
  const isPlain = first[1] === '' && continuationAt(text, at + first[0].length - 1) === 0;
  return inLiteral(search, at, isPlain ? "'" : '"');
}

function inLiteral(search: Search, at: number, quote: Quote): Read | undefined {
  const { layer, effort, level, markers, searched } = search;
  if (at < searched[quote] || level === maxLevels) return undefined;
  const end = endOfQuoted(layer.text, at, quote);
  searched[quote] = end;
  if (!markers.isBetween(at, end)) return undefined;
  const captures = capturesInText(unescaped(layer, at, quote).layer, effort, level + 1);
  return captures.length === 0 ? undefined : { captures, end };
}

function literalAt(search: Search, at: number): Read | undefined {
  const { layer, effort } = search;
  if (search.failedLiterals.some(starts => starts.has(at))) return undefined;
  if (!/^\{\s*(?:['"]|[A-Za-z_$][\w$]*\s*:|#|\/\/)/.test(layer.text.slice(at, at + 1000))) return undefined;
  const literal = literalAsJson(layer, at);
  // Rewriting takes longer than parsing.
  effort.left -= 2 * (literal.end - at);
  if (literal.layer === undefined) {
    search.failedLiterals = withFailed(search.failedLiterals, literal.open);
    return undefined;
  }
  const markers = markersOf(literal.layer.text);
  const outline = outlineAt(literal.layer.text, 0, markers);
  if (outline.outcome === 'failed') return undefined;
  effort.left += 2 * (literal.end - at);
  return { captures: capturesOf(outline.parts, { ...search, layer: literal.layer, markers }), end: literal.end };
}

/** Returns the captures of a JSON value: itself, its members, and those in its strings. */
function capturesOf(parts: readonly OutlinePart[], search: Search): Capture[] {
  const found: Capture[] = [];
  let end = 0;
  for (const part of parts.toSorted((a, b) => a.start - b.start)) {
    if (part.start < end || search.effort.left <= 0) continue;
    if (part.type === 'string') for (const capture of capturesInString(part, search)) found.push(capture);
    else {
      const capture = captureAt(part, search);
      if (capture === undefined) continue;
      found.push(capture);
      end = part.end;
    }
  }
  return found;
}

function captureAt({ start, end }: OutlinePart, { layer, effort }: Search): Capture | undefined {
  if (end - start > maxCaptureLength) return undefined;
  effort.left -= end - start;
  const { node } = readValue(layer.text, start);
  const captured = capturedObject(readableValue(node) ?? null);
  if (captured === undefined) return undefined;
  effort.left += end - start;
  const { object, prefix } = captured;
  return {
    object,
    isRequest: prefix !== '',
    start: layer.originOf(start),
    last: layer.originOf(end - 1),
    // Parsed again: few positions are asked for, and a parsed text takes ten times its size.
    offsetOf: pointer =>
      layer.originOf(placeInJson(readValue(layer.text, start).node, pointer.startsWith(prefix) ? pointer.slice(prefix.length) : '')),
  };
}

/** Undefined for a value with a number that no API server reads. */
function readableValue(node: Parameters<typeof unstructuredOf>[0]): ReturnType<typeof unstructuredOf> | undefined {
  try {
    return unstructuredOf(node);
  } catch (error) {
    if (error instanceof JsonTypeError) return undefined;
    throw error;
  }
}

function capturesInString({ start }: OutlinePart, { layer, effort, level }: Search): Capture[] {
  return level === maxLevels ? [] : capturesInText(unescaped(layer, start + 1, '"').layer, effort, level + 1);
}
