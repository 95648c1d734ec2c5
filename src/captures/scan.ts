import { placeInJson } from '../encoding/node-places.js';
import { unstructuredOf } from '../encoding/unstructured.js';
import type { JsonNode, JsonObject } from '../go/json/node.js';
import { JsonSyntaxError, readValue } from '../go/json/reader.js';
import { skipWhitespace } from '../go/json/tokens.js';
import type { ValueMap } from '../go/value.js';
import { capturedObject } from './captured-kind.js';
import { continuationAt, unescaped } from './escaped-text.js';
import type { Layer } from './layer.js';
import { literalAsJson } from './literal.js';

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
}

/** Finds captures in JSON, in escaped JSON and in literals of Python and JavaScript, at any place of a text. */
export function capturesInText(layer: Layer, effort: Effort): Capture[] {
  const { text } = layer;
  const found: Capture[] = [];
  for (let at = text.indexOf('{'); at !== -1 && effort.left > 0; ) {
    const read = objectAt(layer, at, effort);
    found.push(...(read?.captures ?? []));
    at = text.indexOf('{', read?.end ?? at + 1);
  }
  return found;
}

interface Read {
  readonly captures: readonly Capture[];
  readonly end: number;
}

function objectAt(layer: Layer, at: number, effort: Effort): Read | undefined {
  const { text } = layer;
  const next = skipWhitespace(text, at + 1);
  if (text[next] === '\\') return escapedAt(layer, at, effort);
  // The representation of a string or of bytes in Python: a backslash of JSON is doubled.
  const quoted = text[at - 1] === "'" ? inLiteral(layer, { at, quote: "'" }, effort) : undefined;
  if (quoted !== undefined) return quoted;
  if (text[next] === '"') {
    const json = jsonAt(layer, at, effort);
    if (json !== undefined) return { captures: capturesOf(json.node, layer, effort), end: json.end };
  }
  return literalAt(layer, at, effort);
}

function jsonAt({ text }: Layer, at: number, effort: Effort): ReturnType<typeof readValue> | undefined {
  try {
    return readValue(text, at);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    effort.left -= error.offset - at;
    return undefined;
  }
}

/** A brace in a quoted text: the quotes after it are escaped, or white space is. */
function escapedAt(layer: Layer, at: number, effort: Effort): Read | undefined {
  const first = /^\{(?:\s|\\[nrt])*(\\*)["']/.exec(layer.text.slice(at, at + 1000));
  if (first === null) return undefined;
  const isPlain = first[1] === '' && continuationAt(layer.text, at + first[0].length - 1) === 0;
  return inLiteral(layer, { at, quote: isPlain ? "'" : '"' }, effort);
}

function inLiteral(layer: Layer, { at, quote }: { readonly at: number; readonly quote: '"' | "'" }, effort: Effort): Read | undefined {
  const { layer: decoded, end } = unescaped(layer, at, quote);
  effort.left -= end - at;
  const captures = capturesInText(decoded, effort);
  return captures.length === 0 ? undefined : { captures, end };
}

function literalAt(layer: Layer, at: number, effort: Effort): Read | undefined {
  if (!/^\{\s*(?:['"]|[A-Za-z_$][\w$]*\s*:|#|\/\/)/.test(layer.text.slice(at, at + 1000))) return undefined;
  const literal = literalAsJson(layer, at);
  if (literal.layer === undefined) {
    // Rewriting takes longer than parsing.
    effort.left -= 4 * (literal.end - at);
    return undefined;
  }
  const json = jsonAt(literal.layer, 0, effort);
  return json === undefined ? undefined : { captures: capturesOf(json.node, literal.layer, effort), end: literal.end };
}

/** Returns the captures of a JSON value: itself, its members, and those in its strings. */
function capturesOf(node: JsonNode, layer: Layer, effort: Effort): Capture[] {
  if (node.type === 'string') return capturesInString(node, layer, effort);
  if (node.type === 'array') return node.items.flatMap(item => capturesOf(item, layer, effort));
  if (node.type !== 'object') return [];
  const own = captureAt(node, layer);
  if (own !== undefined) return [own];
  return node.members.flatMap(({ value }) => capturesOf(value, layer, effort));
}

function captureAt(node: JsonObject, layer: Layer): Capture | undefined {
  if (!node.members.some(({ key }) => key === 'kind')) return undefined;
  const captured = capturedObject(unstructuredOf(node));
  if (captured === undefined) return undefined;
  const { object, prefix } = captured;
  return {
    object,
    isRequest: prefix !== '',
    start: layer.originOf(node.start),
    last: layer.originOf(node.end - 1),
    offsetOf: pointer => layer.originOf(placeInJson(node, pointer.startsWith(prefix) ? pointer.slice(prefix.length) : '')),
  };
}

function capturesInString(node: JsonNode, layer: Layer, effort: Effort): Capture[] {
  const raw = layer.text.slice(node.start, node.end);
  if (!raw.includes('{') || !/AdmissionReview|operation|audit\.k8s\.io/.test(raw)) return [];
  return capturesInText(unescaped(layer, node.start + 1, '"').layer, effort);
}
