/** A decimal number: `unscaled * 10^scale`. */
export interface Amount {
  readonly unscaled: bigint;
  readonly scale: number;
  /** Go holds it with arbitrary precision, which it rounds a little differently from the int64 it uses where it can. */
  readonly decimal: boolean;
}

/** An amount that Go holds as int64. */
export function amountOf(unscaled: bigint, scale: number): Amount {
  return { unscaled, scale, decimal: false };
}

/** 10^exponent. Of exponents no amount can have a use for, and with which Go computes for minutes, some other large power. */
export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(Math.min(exponent, 200_000));
}

/** How many times a scale the amount is, rounded away from zero; and whether that is exact. */
export function roundedUp({ unscaled, scale }: Amount, toScale: number): { readonly value: bigint; readonly exact: boolean } {
  if (scale >= toScale) return { value: unscaled * powerOfTen(scale - toScale), exact: true };
  const magnitude = unscaled < 0n ? -unscaled : unscaled;
  const digits = toScale - scale;
  const divisor = powerOfTen(Math.min(digits, magnitude.toString().length));
  const exact = magnitude % divisor === 0n;
  const value = exact ? magnitude / divisor : magnitude / divisor + 1n;
  return { value: unscaled < 0n ? -value : value, exact };
}

/** A number divided by a factor as often as that goes. */
export function withoutFactors(value: bigint, factor: bigint): { readonly rest: bigint; readonly times: number } {
  let rest = value;
  let times = 0;
  while (rest !== 0n && rest % factor === 0n) {
    rest /= factor;
    times += 1;
  }
  return { rest, times };
}

/** The amount as a mantissa and a power of ten that is a multiple of three, as large as it can be. Not for zero. */
export function canonicalDecimal({ unscaled, scale }: Amount): { readonly mantissa: bigint; readonly exponent: number } {
  const { rest, times } = withoutFactors(unscaled, 10n);
  const power = scale + times;
  const exponent = Math.floor(power / 3) * 3;
  return { mantissa: rest * powerOfTen(power - exponent), exponent };
}
