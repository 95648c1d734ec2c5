import { cappedProduct, cappedSum, greaterOf, greatestUint64, scaledUp, smallerOf } from './uint64.js';

/** Size range of a value, as `size()` returns it: characters, bytes, items or entries. Source: cel-go checker/cost.go SizeEstimate. */
export interface SizeEstimate {
  readonly least: bigint;
  readonly most: bigint;
}

/** Unknown size. */
export const unknownSize: SizeEstimate = { least: 0n, most: greatestUint64 };

export function exactSize(size: bigint): SizeEstimate {
  return { least: size, most: size };
}

/** Sum of two sizes. */
export function sumOfSizes(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { least: cappedSum(a.least, b.least), most: cappedSum(a.most, b.most) };
}

/** A size times a count. */
export function productOfSizes(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { least: cappedProduct(a.least, b.least), most: cappedProduct(a.most, b.most) };
}

/** Size of a value that is one of two. */
export function eitherSize(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { least: smallerOf(a.least, b.least), most: greaterOf(a.most, b.most) };
}

/** Maximum cost of traversing a value of a size, at a given cost per element. */
export function costOfSize({ most }: SizeEstimate, pricePerPart: number): bigint {
  return scaledUp(most, pricePerPart);
}
