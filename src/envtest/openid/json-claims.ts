import { foldCase } from '../../go/fold-name.js';
import type { JsonNode, JsonObject } from '../../go/json/node.js';
import { isNullNode, jsonKind } from '../../go/json/node.js';
import { readJson } from '../../go/json/reader.js';

/** The claims of a token by their names, as parsed JSON. */
export type Claims = Map<string, JsonNode>;

/** Returns the claims of an object; of equal names the last one counts. */
export function claimsOf({ members }: JsonObject): Claims {
  return new Map(members.map(({ key, value }) => [key, value]));
}

/** Returns the JSON object in bytes. Throws Error. */
export function readClaims(bytes: Uint8Array): JsonObject {
  const node = readJson(Buffer.from(bytes).toString('utf8'));
  if (node.type !== 'object') throw new Error(`json: cannot unmarshal ${jsonKind(node)} into Go value of type map[string]json.RawMessage`);
  return node;
}

/** Returns the members of an object that Go reads into the field of this name, in any case. */
export function membersNamed({ members }: JsonObject, name: string): JsonNode[] {
  return members.filter(({ key }) => key === name || foldCase(key) === foldCase(name)).map(({ value }) => value);
}

/** Returns a text; null is empty. Throws Error in Go's words, in which `into` is where the text belongs. Source: encoding/json literalStore. */
export function textIn(node: JsonNode, into = 'value'): string {
  if (node.type === 'string') return node.value;
  if (isNullNode(node)) return '';
  throw mismatch(node, into, 'string');
}

/** Returns a boolean; null is false. Throws Error. */
export function booleanIn(node: JsonNode): boolean {
  if (node.type === 'literal') return node.value === true;
  throw mismatch(node, 'value', 'bool');
}

/** Returns texts: null is empty. Throws Error. */
export function textsIn(node: JsonNode, into = 'value'): readonly string[] {
  if (isNullNode(node)) return [];
  if (node.type !== 'array') throw mismatch(node, into, '[]string');
  return node.items.map(item => textIn(item, into));
}

/** Returns the error for a value of another type. Source: encoding/json UnmarshalTypeError. */
export function mismatch(node: JsonNode, into: string, type: string): Error {
  return new Error(`json: cannot unmarshal ${jsonKind(node)} into Go ${into} of type ${type}`);
}
