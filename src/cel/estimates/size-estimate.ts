import { cappedProduct, cappedSum, greaterOf, maxUint64, scaledUp, smallerOf } from './uint64.js';

/** Size range of a value, as `size()` returns it: characters, bytes, items or entries. Source: cel-go checker/cost.go SizeEstimate. */
export interface SizeEstimate {
  readonly min: bigint;
  readonly max: bigint;
}

/** Unknown size. */
export const unknownSize: SizeEstimate = { min: 0n, max: maxUint64 };

export function exactSize(size: bigint): SizeEstimate {
  return { min: size, max: size };
}

/** Sum of two sizes. */
export function sumOfSizes(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: cappedSum(a.min, b.min), max: cappedSum(a.max, b.max) };
}

/** A size times a count. */
export function productOfSizes(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: cappedProduct(a.min, b.min), max: cappedProduct(a.max, b.max) };
}

/** Size of a value that is one of two. */
export function eitherSize(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: smallerOf(a.min, b.min), max: greaterOf(a.max, b.max) };
}

/** Maximum cost of traversing a value of a size, at a given cost per element. */
export function costOfSize({ max }: SizeEstimate, pricePerPart: number): bigint {
  return scaledUp(max, pricePerPart);
}
