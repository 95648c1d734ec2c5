/**
 * JSON text as a tree with offsets: `text.slice(start, end)` is the raw value. Typed decoding needs it because Go reports errors in
 * document order and keeps some values (RawExtension) as written.
 */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonLiteral;

export interface JsonObject {
  readonly type: 'object';
  readonly start: number;
  readonly end: number;
  /** In document order, with duplicates. */
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  /** Decoded like any string. */
  readonly key: string;
  /** Offset of the key's opening quote. */
  readonly keyStart: number;
  readonly value: JsonNode;
}

export interface JsonArray {
  readonly type: 'array';
  readonly start: number;
  readonly end: number;
  readonly items: readonly JsonNode[];
}

export interface JsonString {
  readonly type: 'string';
  readonly start: number;
  readonly end: number;
  /** Decoded like in Go: a lone surrogate is U+FFFD. */
  readonly value: string;
}

export interface JsonNumber {
  readonly type: 'number';
  readonly start: number;
  readonly end: number;
  /** The digits as written. */
  readonly text: string;
}

export interface JsonLiteral {
  readonly type: 'literal';
  readonly start: number;
  readonly end: number;
  readonly value: boolean | null;
}

/** Returns Go's kind of a JSON value in type errors: `object`, `array`, `string`, `number`, `bool`, `null`. */
export function jsonKind(node: JsonNode): string {
  if (node.type !== 'literal') return node.type;
  return node.value === null ? 'null' : 'bool';
}

/** Reports whether a node is `null`. */
export function isNullNode(node: JsonNode): boolean {
  return node.type === 'literal' && node.value === null;
}
