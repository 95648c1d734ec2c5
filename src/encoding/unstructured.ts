import type { JsonNode, JsonNumber } from '../go/json/node.js';
import { readJson } from '../go/json/reader.js';
import type { Value, ValueMap } from '../go/value.js';
import { duplicateFields } from './duplicate-fields.js';

/** The value has no place in Go's types; the message is Go's. */
export class JsonTypeError extends Error {
  override readonly name = 'JsonTypeError';
}

/**
 * A JSON text as the API server reads an object without a Go type: whole numbers are int64 where they fit, other numbers float64; of equal
 * keys the last one counts. Throws JsonSyntaxError, or JsonTypeError for a number beyond float64. Source: sigs.k8s.io/json, PreserveInts.
 */
export function readUnstructured(text: string): Value {
  return unstructuredOf(readJson(text));
}

/** The same with what strict field validation would say: `duplicate field "spec.a"`, in document order, at most 100. */
export function readUnstructuredStrict(text: string): { readonly value: Value; readonly strictErrors: readonly string[] } {
  return unstructuredStrictOf(readJson(text));
}

/** The same of a text that is already read. */
export function unstructuredStrictOf(node: JsonNode): { readonly value: Value; readonly strictErrors: readonly string[] } {
  return { value: unstructuredOf(node), strictErrors: duplicateFields(node) };
}

/** A JSON text as Go's plain decoder reads it: every number is a float64. Throws as `readUnstructured` does. */
export function readWithFloats(text: string): Value {
  return unstructuredOf(readJson(text), floatOf);
}

/** The value of a text that is already read. Needs no stack for deep values. Throws JsonTypeError for the first number beyond float64. */
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

/** A number of JSON as the API server keeps it: int64 when it is written as a whole number and fits, float64 (an infinity when beyond it) otherwise. */
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
