import type { CelValue, Uint } from './value.js';

/** int, uint or double, which are comparable with each other. */
export type CelNumber = bigint | number | Uint;

export const minInt = -(1n << 63n);
export const maxInt = (1n << 63n) - 1n;
const maxUint = (1n << 64n) - 1n;

export function isNumber(value: CelValue): value is CelNumber {
  return typeof value === 'bigint' || typeof value === 'number' || (typeof value === 'object' && value.kind === 'uint');
}

/**
 * -1, 0 or 1; NaN when one of them is NaN. Compared with a double, an integer is converted to the nearest double, as in cel-go. Source:
 * cel-go common/types/compare.go.
 */
export function compareNumbers(a: CelNumber, b: CelNumber): number {
  if (typeof a === 'number' || typeof b === 'number') return compareDoubles(asDouble(a), asDouble(b), { a, b });
  return order(asInteger(a), asInteger(b));
}

/** An int64; undefined when the number is out of range. */
export function checkedInt(value: bigint): bigint | undefined {
  return value >= minInt && value <= maxInt ? value : undefined;
}

/** A uint64; undefined when the number is out of range. */
export function checkedUint(value: bigint): bigint | undefined {
  return value >= 0n && value <= maxUint ? value : undefined;
}

/** The int64 of a truncated double; undefined outside the range, whose lower bound is excluded. */
export function intOfDouble(value: number): bigint | undefined {
  return value > -(2 ** 63) && value < 2 ** 63 ? BigInt(Math.trunc(value)) : undefined;
}

/** The uint64 of a truncated double. */
export function uintOfDouble(value: number): bigint | undefined {
  return value >= 0 && value < 2 ** 64 ? BigInt(Math.trunc(value)) : undefined;
}

function asDouble(value: CelNumber): number {
  return typeof value === 'number' ? value : Number(asInteger(value));
}

function asInteger(value: bigint | Uint | number): bigint {
  if (typeof value === 'number') throw new Error('a double is not an integer');
  return typeof value === 'bigint' ? value : value.uint;
}

function compareDoubles(x: number, y: number, { a, b }: { a: CelNumber; b: CelNumber }): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  // A negative double is less than every uint, but minus zero is not.
  if (typeof a === 'object' && y < 0) return 1;
  if (typeof b === 'object' && x < 0) return -1;
  return order(x, y);
}

function order<T extends bigint | number>(x: T, y: T): number {
  return x < y ? -1 : x > y ? 1 : 0;
}
