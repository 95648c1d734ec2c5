import { cappedProduct, cappedSum, greaterOf, greatestUint64, scaledUp, smallerOf } from './uint64.js';

/** How large a value may be, as `size()` would tell: characters, bytes, items or entries. Source: cel-go checker/cost.go SizeEstimate. */
export interface SizeEstimate {
  readonly least: bigint;
  readonly most: bigint;
}

/** Nothing is known of the size. */
export const unknownSize: SizeEstimate = { least: 0n, most: greatestUint64 };

export function exactSize(size: bigint): SizeEstimate {
  return { least: size, most: size };
}

/** The size of two values put together. */
export function sumOfSizes(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { least: cappedSum(a.least, b.least), most: cappedSum(a.most, b.most) };
}

/** The size of so many values together. */
export function productOfSizes(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { least: cappedProduct(a.least, b.least), most: cappedProduct(a.most, b.most) };
}

/** The size of a value that is one of two. */
export function eitherSize(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { least: smallerOf(a.least, b.least), most: greaterOf(a.most, b.most) };
}

/** The most it costs to go through a value of a size, with a price for each of its parts. */
export function costOfSize({ most }: SizeEstimate, pricePerPart: number): bigint {
  return scaledUp(most, pricePerPart);
}
