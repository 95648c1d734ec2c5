import { readUnstructured } from '../encoding/unstructured.js';
import { isList, isMap, isRawJson, type Value } from '../go/value.js';
import type { PlainValue } from './report.js';

/** A value as plain JavaScript data; whole numbers stay to the digit, as `bigint` where a double would not tell them apart. */
export function plainOf(value: Value): PlainValue {
  if (isMap(value)) return Object.fromEntries([...value].map(([key, member]) => [key, plainOf(member)]));
  if (isList(value)) return value.map(plainOf);
  if (isRawJson(value)) return plainOf(readUnstructured(value.rawJson));
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
