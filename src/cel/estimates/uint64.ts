/** The largest number of Go's uint64: estimates that come to more stay there. */
export const greatestUint64 = 2n ** 64n - 1n;

const twoTo64 = 2 ** 64;

/** A sum; the greatest number where there would be a greater one. */
export function cappedSum(...numbers: readonly bigint[]): bigint {
  return capped(numbers.reduce((sum, number) => sum + number, 0n));
}

/** A product; the greatest number where there would be a greater one. */
export function cappedProduct(a: bigint, b: bigint): bigint {
  return capped(a * b);
}

/** A number times a factor that is not negative, in floating point and rounded up. Source: cel-go checker/cost.go multiplyByCostFactor. */
export function scaledUp(number: bigint, factor: number): bigint {
  const product = Math.ceil(Number(number) * factor);
  return product >= twoTo64 ? greatestUint64 : BigInt(product);
}

/** What Go makes of a sum, a difference or a product that leaves its uint64: it begins again at the other end. */
export function wrapped(number: bigint): bigint {
  return BigInt.asUintN(64, number);
}

export function smallerOf(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

export function greaterOf(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

function capped(number: bigint): bigint {
  return smallerOf(number, greatestUint64);
}
