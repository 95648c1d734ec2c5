import { exactDecimal, roundedTo } from './exact-decimal.js';

/** `g`: an exponent below 1e-4 and from 1e+06 on, as %v prints it. `f`: no exponent. */
export type FloatFormat = 'g' | 'f';

/**
 * Formats a float64, or the float32 nearest to it, with the fewest digits that identify it: `1e+06`, `0.25`, `+Inf`.
 * Source: Go strconv.FormatFloat with precision -1.
 */
export function formatFloat(value: number, format: FloatFormat = 'g', bits: 32 | 64 = 64): string {
  const float = bits === 32 ? Math.fround(value) : value;
  if (!Number.isFinite(float)) return Number.isNaN(float) ? 'NaN' : float > 0 ? '+Inf' : '-Inf';
  const sign = float < 0 || Object.is(float, -0) ? '-' : '';
  const [mantissa = '', exponentText = ''] = shortest(Math.abs(float), bits).split('e');
  const exponent = Number(exponentText);
  if (format === 'f' || (exponent >= -4 && exponent < maxPlainExponents)) return sign + decimal(mantissa.replace('.', ''), exponent);
  return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const maxPlainExponents = 6;

/** Returns `d.ddde+x` with the fewest digits that are read as the same float. */
function shortest(float: number, bits: 32 | 64): string {
  if (bits === 64 || float === 0) return float.toExponential();
  const exact = exactDecimal(float);
  for (let count = 1; ; count += 1) {
    const { digits, point } = roundedTo(exact, count);
    const text = `${digits.slice(0, 1)}${digits.length > 1 ? '.' : ''}${digits.slice(1)}e${point - 1}`;
    if (Math.fround(Number(text)) === float) return trimZeros(text);
  }
}

function trimZeros(text: string): string {
  return text.replace(/\.?0+e/, 'e');
}

function decimal(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits.padEnd(exponent + 1, '0');
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}
