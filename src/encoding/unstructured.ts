import type { JsonNode, JsonNumber } from '../go/json/node.js';
import { readJson } from '../go/json/reader.js';
import type { Value, ValueMap } from '../go/value.js';
import { duplicateFields } from './duplicate-fields.js';

/** Value that does not fit into Go's types; the message is Go's. */
export class JsonTypeError extends Error {
  override readonly name = 'JsonTypeError';
}

/**
 * Parses JSON as the API server does for objects without a Go type: integers are int64 if they fit, other numbers float64; of duplicate
 * keys the last one counts. Throws JsonSyntaxError, or JsonTypeError for a number beyond float64. Source: sigs.k8s.io/json, PreserveInts.
 */
export function readUnstructured(text: string): Value {
  return unstructuredOf(readJson(text));
}

/** Also returns the errors of strict field validation: `duplicate field "spec.a"`, in document order, at most 100. */
export function readUnstructuredStrict(text: string): { readonly value: Value; readonly strictErrors: readonly string[] } {
  return unstructuredStrictOf(readJson(text));
}

/** Returns the same for a parsed text. */
export function unstructuredStrictOf(node: JsonNode): { readonly value: Value; readonly strictErrors: readonly string[] } {
  return { value: unstructuredOf(node), strictErrors: duplicateFields(node) };
}

/** Parses JSON like Go's plain decoder: every number is a float64. Throws like `readUnstructured`. */
export function readWithFloats(text: string): Value {
  return unstructuredOf(readJson(text), floatOf);
}

/** Returns the value of a parsed text. Does not recurse. Throws JsonTypeError for the first number beyond float64. */
export function unstructuredOf(node: JsonNode, numberOf: (text: string) => bigint | number = readNumber): Value {
  const unfilled: Unfilled[] = [];
  let beyond: JsonNumber | undefined;
  const make = (from: JsonNode): Value => {
    switch (from.type) {
      case 'object': {
        const map: ValueMap = new Map();
        if (from.members.length > 0) unfilled.push({ map, members: from.members });
        return map;
      }
      case 'array': {
        const list: Value[] = [];
        if (from.items.length > 0) unfilled.push({ list, items: from.items });
        return list;
      }
      case 'number': {
        const number = numberOf(from.text);
        if ((number === Infinity || number === -Infinity) && (beyond === undefined || from.start < beyond.start)) beyond = from;
        return number;
      }
      default:
        return from.value;
    }
  };
  const value = make(node);
  for (let next = unfilled.pop(); next !== undefined; next = unfilled.pop()) {
    if ('map' in next) for (const member of next.members) next.map.set(member.key, make(member.value));
    else for (const item of next.items) next.list.push(make(item));
  }
  if (beyond !== undefined) throw new JsonTypeError(`json: cannot unmarshal number ${beyond.text} into Go value of type float64`);
  return value;
}

/** Parses a JSON number as the API server does: int64 if it is an integer that fits, otherwise float64 (or infinity). */
export function readNumber(text: string): bigint | number {
  if (text.length <= 20 && wholeNumber.test(text)) {
    const integer = BigInt(text);
    if (integer >= -(1n << 63n) && integer < 1n << 63n) return integer;
  }
  return Number(text);
}

const wholeNumber = /^-?\d+$/;

function floatOf(text: string): number {
  return Number(text);
}

type Unfilled =
  | { readonly map: ValueMap; readonly members: (JsonNode & { type: 'object' })['members'] }
  | { readonly list: Value[]; readonly items: (JsonNode & { type: 'array' })['items'] };
