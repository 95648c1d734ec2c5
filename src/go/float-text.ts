/** A float64 with all its shortest digits and no exponent: `1000000`, `0.00001`, `+Inf`. Source: strconv.FormatFloat 'f', -1. */
export function plainFloatText(value: number): string {
  if (!Number.isFinite(value)) return infinite(value);
  const { sign, digits, exponent } = decimalOf(value);
  return sign + plain(digits, exponent);
}

function infinite(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

interface Decimal {
  readonly sign: string;
  /** The shortest that give the number back. */
  readonly digits: string;
  /** Of the first digit. */
  readonly exponent: number;
}

function decimalOf(value: number): Decimal {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  return { sign, digits: mantissa.replace('.', ''), exponent: Number(exponent) };
}

function plain(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
