import { compareKeys } from '../../../go/key-order.js';
import { isList, isMap, type Value, type ValueMap } from '../../../go/value.js';

/** Reports whether two values are equal; integers and floats compare numerically. Source: structured-merge-diff value.Equals. */
export function equalValues(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return typeof a === typeof b ? a === b : Number(a) === Number(b);
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => equalValues(item, b[i] ?? null));
  if (isMap(a)) return isMap(b) && equalMaps(a, b);
  return a === b;
}

/** Compares any two values: numbers, strings, booleans, lists, maps, null. Source: structured-merge-diff value.Compare. */
export function compareValues(a: Value, b: Value): number {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareKeys(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (isList(a) && isList(b)) return compareLists(a, b);
  if (isMap(a) && isMap(b)) return compareMaps(a, b);
  return rank(a) - rank(b);
}

function equalMaps(a: ValueMap, b: ValueMap): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !equalValues(value, other)) return false;
  }
  return true;
}

function compareNumbers(a: bigint | number, b: bigint | number): number {
  const [left, right] = typeof a === typeof b ? [a, b] : [Number(a), Number(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareLists(a: readonly Value[], b: readonly Value[]): number {
  for (const [i, item] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    const order = compareValues(item, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareMaps(a: ValueMap, b: ValueMap): number {
  const [left, right] = [[...a.keys()].sort(compareKeys), [...b.keys()].sort(compareKeys)];
  for (const [i, key] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    const order = compareKeys(key, other) || compareValues(a.get(key) ?? null, b.get(key) ?? null);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function isNumber(value: Value): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}

function rank(value: Value): number {
  if (isNumber(value)) return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (isList(value)) return 3;
  return isMap(value) ? 4 : 5;
}
