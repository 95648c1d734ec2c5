/** A decimal number: `unscaled * 10^scale`. */
export interface Amount {
  readonly unscaled: bigint;
  readonly scale: number;
  /** Go holds it with arbitrary precision, and rounds it slightly differently from an int64. */
  readonly decimal: boolean;
}

/** Returns an amount that Go holds as int64. */
export function amountOf(unscaled: bigint, scale: number): Amount {
  return { unscaled, scale, decimal: false };
}

/** Returns 10^exponent. Exponents that no amount needs, which Go would compute for minutes, give some other large power. */
export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(Math.min(exponent, 200_000));
}

/** Returns the amount as a multiple of a scale, rounded away from zero, and whether that is exact. */
export function roundedUp({ unscaled, scale }: Amount, toScale: number): { readonly value: bigint; readonly exact: boolean } {
  if (scale >= toScale) return { value: unscaled * powerOfTen(scale - toScale), exact: true };
  const magnitude = unscaled < 0n ? -unscaled : unscaled;
  const digits = toScale - scale;
  const divisor = powerOfTen(Math.min(digits, magnitude.toString().length));
  const exact = magnitude % divisor === 0n;
  const value = exact ? magnitude / divisor : magnitude / divisor + 1n;
  return { value: unscaled < 0n ? -value : value, exact };
}

/** Divides a number by a factor as often as possible. */
export function withoutFactors(value: bigint, factor: bigint): { readonly rest: bigint; readonly times: number } {
  let rest = value;
  let times = 0;
  while (rest !== 0n && rest % factor === 0n) {
    rest /= factor;
    times += 1;
  }
  return { rest, times };
}

/** Returns the amount as a mantissa and the largest power of ten that is a multiple of three. Not for zero. */
export function canonicalDecimal({ unscaled, scale }: Amount): { readonly mantissa: bigint; readonly exponent: number } {
  const { rest, times } = withoutFactors(unscaled, 10n);
  const power = scale + times;
  const exponent = Math.floor(power / 3) * 3;
  return { mantissa: rest * powerOfTen(power - exponent), exponent };
}
