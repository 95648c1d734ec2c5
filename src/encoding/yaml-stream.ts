import type { JsonNode } from '../go/json/node.js';
import { JsonSyntaxError, readJson, readValue } from '../go/json/reader.js';
import { skipWhitespace } from '../go/json/tokens.js';
import { onceValue } from '../go/once.js';
import { sharedGetters } from '../go/shared-getters.js';
import { encodeUtf8Bytes } from '../go/utf8.js';
import type { Value } from '../go/value.js';
import { trimLeftSpace } from '../go/white-space.js';
import { commonValueOf } from './common-value.js';
import { duplicateFields } from './duplicate-fields.js';
import { type Position, placesIn } from './line-places.js';
import { manifestText } from './manifest-text.js';
import { placeInJson, placeInYaml } from './node-places.js';
import { composeFirst } from './yaml/compose.js';
import type { YamlNode } from './yaml/nodes.js';
import { jsonOfNode, YamlError } from './yaml.js';
import { type YamlChunk, yamlChunks } from './yaml-chunks.js';

export type { Position } from './line-places.js';

/** Document of a manifest file as kubectl gets it. */
export interface ManifestDocument {
  /** With sorted keys for YAML; as in the file for JSON. */
  readonly json: string;
  /** The value of that JSON, if it is known without parsing it. The reader may change it, once. */
  readonly value?: Value;
  /** Parsed text, if finding its end required that. */
  readonly node?: JsonNode;
  /** First line in the file, counted from 1. */
  readonly line: number;
  /** Returns the position of a JSON pointer: the key of a member or the item of a list, or the nearest node around a missing one. */
  positionOf(pointer: string): Position;
  /** Returns the duplicate keys of maps, of which the last counts. */
  repeatedKeys(): readonly RepeatedKeyAt[];
}

export interface RepeatedKeyAt {
  /** Message of strict validation: `key "a" already set in map`, in JSON `duplicate field "spec.a"`. */
  readonly message: string;
  /** Position of the value, if known. */
  readonly position: Position | undefined;
}

export interface ManifestStream {
  readonly documents: readonly ManifestDocument[];
  /** Error of kubectl that ended the stream. */
  readonly error: ManifestError | undefined;
}

export interface ManifestError {
  readonly message: string;
  readonly position: Position;
}

/**
 * Reads the documents of a manifest file: YAML, JSON, or JSON that continues as YAML; empty ones and null are skipped. Documents before an
 * error are returned. Source: kubectl's resource builder, apimachinery util/yaml YAMLOrJSONDecoder.
 */
export function readManifests(bytes: Uint8Array): ManifestStream {
  const text = manifestText(bytes);
  const file: File = { text, placeOf: placesIn(text) };
  const { documents, error, yamlFrom } = startsAsJson(text) ? readJsonDocuments(file) : { documents: [], error: undefined, yamlFrom: 0 };
  if (yamlFrom === undefined) return { documents, error };
  return readYamlDocuments(file, { from: yamlFrom, documents, jsonError: error });
}

interface File {
  readonly text: string;
  readonly placeOf: (offset: number) => Position;
}

/** Number of bytes in which kubectl looks for JSON. */
const guessedBytes = 4096;

function startsAsJson(text: string): boolean {
  const trimmed = trimLeftSpace(text);
  return trimmed.startsWith('{') && encodeUtf8Bytes(text.slice(0, text.length - trimmed.length)).length < guessedBytes;
}

interface JsonPart {
  readonly documents: ManifestDocument[];
  readonly error: ManifestError | undefined;
  /** Offset where parsing continues as YAML; an error at that offset is reported as a JSON error. */
  readonly yamlFrom: number | undefined;
}

function readJsonDocuments(file: File): JsonPart {
  const { text, placeOf } = file;
  const documents: ManifestDocument[] = [];
  let count = 0;
  let end = 0;
  try {
    for (let at = skipWhitespace(text, 0); at < text.length; at = skipWhitespace(text, end)) {
      const value = readValue(text, at);
      end = value.end;
      count += 1;
      const json = text.slice(at, end);
      if (json !== 'null') documents.push(jsonDocument(file, value.node));
    }
    return { documents, error: undefined, yamlFrom: undefined };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const cut = error.offset >= text.length;
    const message = cut ? 'unexpected EOF' : error.message;
    const position = placeOf(error.offset);
    // After more than one object kubectl treats the file as JSON and does not count bytes.
    if (count > 1) return { documents, error: { message, position }, yamlFrom: undefined };
    const offset = encodeUtf8Bytes(text.slice(0, error.offset)).length + 1;
    const located = cut ? message : `json: offset ${offset}: ${message}`;
    return { documents, error: { message: located, position }, yamlFrom: afterWhiteSpace(text, end) };
  }
}

/**
 * Returns the offset after white space up to the first line feed; undefined if there are fewer than four bytes, or no character after it.
 */
function afterWhiteSpace(text: string, from: number): number | undefined {
  let left = encodeUtf8Bytes(text.slice(from)).length;
  let at = from;
  while (left >= 4) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (/[\ufffd\ud800-\udfff]/u.test(character)) return undefined;
    if (trimLeftSpace(character) !== '') return at;
    left -= encodeUtf8Bytes(character).length;
    at += character.length;
    if (character === '\n') return at;
  }
  return undefined;
}

function jsonDocument({ text, placeOf }: File, node: JsonNode): ManifestDocument {
  const { line } = placeOf(node.start);
  return {
    json: text.slice(node.start, node.end),
    node,
    line,
    positionOf: pointer => placeOf(placeInJson(node, pointer)),
    repeatedKeys: () => duplicateFields(node).map(message => ({ message, position: undefined })),
  };
}

interface YamlPart {
  readonly from: number;
  readonly documents: ManifestDocument[];
  readonly jsonError: ManifestError | undefined;
}

function readYamlDocuments({ text, placeOf }: File, { from, documents, jsonError }: YamlPart): ManifestStream {
  let instead = jsonError;
  for (const chunk of yamlChunks(text, from)) {
    const { line } = placeOf(chunk.start);
    if ('message' in chunk) return { documents, error: instead ?? { message: chunk.message, position: { line, column: 1 } } };
    try {
      const document = yamlDocument(chunk, line);
      if (document !== undefined) documents.push(document);
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      const position = { line: line + (error.line ?? 0), column: (error.column ?? 0) + 1 };
      return { documents, error: instead ?? { message: error.message, position } };
    }
    instead = undefined;
  }
  return { documents, error: undefined };
}

function yamlDocument(chunk: YamlChunk, line: number): ManifestDocument | undefined {
  const { node, value, decoded } = readChunk(chunk);
  if (decoded !== undefined) checkDepth(decoded.json);
  if (node === undefined || value === null || decoded?.json === 'null') return undefined;
  const inFile = (at: { readonly line: number; readonly column: number }) => ({ line: line + at.line, column: at.column + 1 });
  const document = {
    line,
    positionOf: (pointer: string) => inFile(placeInYaml(node, pointer)),
    repeatedKeys: () => decoded?.repeated.map(at => ({ message: `key ${at.key} already set in map`, position: inFile(at) })) ?? [],
  };
  if (value === undefined) return { ...document, json: decoded?.json ?? 'null' };
  return withJson({ ...document, value }, { json: onceValue(() => jsonOfNode(node).json) });
}

const withJson = sharedGetters<Pick<ManifestDocument, 'json'>>('json');

interface ReadChunk {
  readonly node: YamlNode | undefined;
  /** The value, of a common document. */
  readonly value: Value | undefined;
  /** Its JSON, of any other. */
  readonly decoded: ReturnType<typeof jsonOfNode> | undefined;
}

function readChunk({ text }: YamlChunk): ReadChunk {
  try {
    const node = composeFirst(text);
    const value = node === undefined || /[\ud800-\udfff]/.test(text) ? undefined : commonValueOf(node);
    return { node, value, decoded: value === undefined ? jsonOfNode(node) : undefined };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const at = error.line === undefined ? undefined : { line: error.line, column: error.column ?? 0 };
    throw new YamlError(`error converting YAML to JSON: ${error.message}`, at);
  }
}

/** Max nesting of JSON; YAML allows the same in blocks and again in flow collections. */
const maximumJsonDepth = 10000;

function checkDepth(json: string): void {
  if (json.length < 2 * maximumJsonDepth) return;
  try {
    readJson(json);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new YamlError(`error unmarshaling JSON: while decoding JSON: ${error.message}`);
  }
}
