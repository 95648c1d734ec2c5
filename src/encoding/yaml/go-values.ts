import { formatFloat } from '../../go/float.js';
import { compareKeys } from '../../go/key-order.js';
import { quote } from '../../go/quote.js';

/**
 * Value as go-yaml holds it in an `interface{}`: null is nil; a bigint is an int, or a uint64 beyond int64; a number is a float64. Maps
 * have keys of any scalar type, and 1 and "1" differ.
 */
export type GoValue = GoScalar | GoValue[] | GoMap;
export type GoScalar = null | boolean | string | bigint | number;

/** A Go map. Entries keep their own key: a JavaScript map would treat -0 as 0, and NaN equals itself here but not in Go. */
export type GoMap = Map<unknown, GoEntry>;

export interface GoEntry {
  readonly key: GoScalar;
  readonly value: GoValue;
}

/** Sets the value of a key. */
export function setEntry(map: GoMap, key: GoScalar, value: GoValue): void {
  map.set(Number.isNaN(key) ? {} : key, { key, value });
}

/** Returns whether a YAML int needs Go's uint64. */
export function isUint64(n: bigint): boolean {
  return n >= 1n << 63n;
}

/**
 * Returns a value in Go syntax, as %#v prints it: `map[interface {}]interface {}{"a":1}`. Map keys are sorted as package fmt sorts them.
 */
export function goSyntax(value: GoValue): string {
  return value === null ? '<nil>' : syntaxWithin(value);
}

function syntaxWithin(value: GoValue): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'bigint':
      return isUint64(value) ? `0x${value.toString(16)}` : value.toString();
    case 'number':
      return formatFloat(value);
    case 'boolean':
      return String(value);
    default: {
      if (value === null) return 'interface {}(nil)';
      if (Array.isArray(value)) return `[]interface {}{${value.map(syntaxWithin).join(', ')}}`;
      const entries = [...value.values()].sort((a, b) => compareScalars(a.key, b.key));
      return `map[interface {}]interface {}{${entries.map(e => `${syntaxWithin(e.key)}:${syntaxWithin(e.value)}`).join(', ')}}`;
    }
  }
}

/** Orders nil first, then by type (in the order in which the Go program happens to have these types), then by value. */
function compareScalars(a: GoScalar, b: GoScalar): number {
  if (typeOrder(a) !== typeOrder(b)) return typeOrder(a) - typeOrder(b);
  if (typeof a === 'string' && typeof b === 'string') return compareKeys(a, b);
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
  if (a === null || b === null || a === b) return 0;
  return a < b ? -1 : 1;
}

function typeOrder(value: GoScalar): number {
  if (value === null) return 0;
  if (typeof value === 'bigint') return isUint64(value) ? 2 : 3;
  return typeof value === 'string' ? 1 : typeof value === 'number' ? 4 : 5;
}
