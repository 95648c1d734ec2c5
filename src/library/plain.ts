import { readUnstructured } from '../encoding/unstructured.js';
import { isList, isMap, isRawJson, type Value } from '../go/value.js';
import type { PlainValue } from './report.js';

/** Returns a value as plain JavaScript data; integers beyond the range of doubles become `bigint`. */
export function plainOf(value: Value): PlainValue {
  if (isMap(value)) return Object.fromEntries([...value].map(([key, member]) => [key, plainOf(member)]));
  if (isList(value)) return value.map(plainOf);
  if (isRawJson(value)) return plainOf(readUnstructured(value.rawJson));
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
