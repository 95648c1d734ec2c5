/** A float as Go prints it with %g and as few digits as name it: as a float64, or as the float32 next to it. Source: strconv.FormatFloat. */
export function formatFloat(n: number, bits: 32 | 64): string {
  const float = bits === 32 ? Math.fround(n) : n;
  if (!Number.isFinite(float)) return Number.isNaN(float) ? 'NaN' : float > 0 ? '+Inf' : '-Inf';
  if (float === 0) return Object.is(float, -0) ? '-0' : '0';
  const [mantissa = '', exponentText = ''] = shortest(Math.abs(float), bits).split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(exponentText);
  const sign = float < 0 ? '-' : '';
  if (exponent >= -4 && exponent < decimalExponents) return sign + decimal(digits, exponent);
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${power}`;
}

/** From this exponent on Go writes `e+06`. */
const decimalExponents = 6;

/** `d.ddde+x` with the fewest digits that are read as the same float. */
function shortest(float: number, bits: 32 | 64): string {
  if (bits === 64) return float.toExponential();
  for (let fraction = 0; fraction < 8; fraction += 1) {
    const text = float.toExponential(fraction);
    if (Math.fround(Number(text)) === float) return text;
  }
  return float.toExponential(8);
}

function decimal(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits.padEnd(exponent + 1, '0');
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}
