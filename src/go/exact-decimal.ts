/** Exact decimal digits of a finite number: 0.DIGITS times ten to the exponent, without sign. Zero has no digits. */
export interface ExactDecimal {
  readonly digits: string;
  /** Number of digits before the decimal point. */
  readonly point: number;
}

/** Returns the exact value of a finite float64, without its sign. */
export function exactDecimal(value: number): ExactDecimal {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(value));
  const raw = bits.getBigUint64(0);
  const exponent = Number(raw >> 52n);
  const mantissa = exponent === 0 ? raw : (raw & 0xfffffffffffffn) | (1n << 52n);
  if (mantissa === 0n) return { digits: '', point: 0 };
  const power = Math.max(exponent, 1) - 1075;
  if (power >= 0) return integral((mantissa << BigInt(power)).toString());
  const digits = (mantissa * 5n ** BigInt(-power)).toString();
  return { digits, point: digits.length + power };
}

/** Returns the first digits, rounded half to even; none for a number below half a unit. */
export function roundedTo({ digits, point }: ExactDecimal, count: number): ExactDecimal {
  if (count < 0) return { digits: '', point: 0 };
  if (count >= digits.length) return { digits, point };
  const kept = digits.slice(0, count);
  const first = digits[count] ?? '0';
  const rest = digits.slice(count + 1);
  const tie = first === '5' && !/[1-9]/.test(rest);
  const up = tie ? Number(kept.at(-1) ?? '0') % 2 === 1 : first >= '5';
  if (!up) return { digits: kept, point };
  const next = (BigInt(kept === '' ? '0' : kept) + 1n).toString();
  return next.length > kept.length ? { digits: next, point: point + 1 } : { digits: next.padStart(count, '0'), point };
}

/** Formats a float64 with a number of decimals, rounded half to even: `-0.500000`, `+Inf`. Source: Go fmt %f. */
export function formatFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const { whole, fraction } = fixedPoint(value, precision);
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return precision === 0 ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Returns the digits before and after the decimal point of a rounded magnitude. */
export function fixedPoint(value: number, precision: number): { readonly whole: string; readonly fraction: string } {
  const exact = exactDecimal(value);
  const { digits, point } = roundedTo(exact, exact.point + precision);
  const padded = point <= 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0');
  const whole = point <= 0 ? '0' : padded.slice(0, point);
  const fraction = point <= 0 ? padded : padded.slice(point);
  return { whole, fraction: fraction.slice(0, precision).padEnd(precision, '0') };
}

function integral(digits: string): ExactDecimal {
  return { digits, point: digits.length };
}
