import { isMap, toValue, type ValueMap } from '../../src/go/value.js';

/** Returns plain data as a map of the program. */
export function mapOf(data: unknown): ValueMap {
  const value = toValue(data);
  if (!isMap(value)) throw new Error('no object');
  return value;
}
