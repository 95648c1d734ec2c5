/** Maximum uint64. Estimates saturate at it. */
export const maxUint64 = 2n ** 64n - 1n;

const twoTo64 = 2 ** 64;

/** Saturating sum. */
export function cappedSum(...numbers: readonly bigint[]): bigint {
  return capped(numbers.reduce((sum, number) => sum + number, 0n));
}

/** Saturating product. */
export function cappedProduct(a: bigint, b: bigint): bigint {
  return capped(a * b);
}

/** Product with a factor that is not negative, in floating point, rounded up. Source: cel-go checker/cost.go multiplyByCostFactor. */
export function scaledUp(number: bigint, factor: number): bigint {
  const product = Math.ceil(Number(number) * factor);
  return product >= twoTo64 ? maxUint64 : BigInt(product);
}

/** Wraps a value to 64 bits, as Go does when a uint64 overflows. */
export function wrappedUint64(number: bigint): bigint {
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
  return smallerOf(number, maxUint64);
}
