/** A number as Go's `%v` prints it: a float64 with the shortest digits, and an exponent below 1e-4 and from 1e+21 on. Source: fmt. */
export function printGoNumber(value: bigint | number): string {
  if (typeof value === 'bigint' || !Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (value !== 0 && (power < -4 || power >= 21)) return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  return String(value);
}
