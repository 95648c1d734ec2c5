import { quoteForTime, TimeError } from './quote-for-time.js';

/** Parses a duration such as `1h30m`, `1.5s`, `-200ms`, `0` into nanoseconds. Throws TimeError. Source: Go time.ParseDuration. */
export function parseDuration(text: string): bigint {
  const invalid = () => new TimeError(`time: invalid duration ${quoteForTime(text)}`);
  const negative = text.startsWith('-');
  let rest = negative || text.startsWith('+') ? text.slice(1) : text;
  if (rest === '0') return 0n;
  if (rest === '') throw invalid();
  let total = 0n;
  while (rest !== '') {
    const [part = '', whole = '', point, fraction = '', unit = ''] = /^([0-9]*)(\.([0-9]*))?([^.0-9]*)/.exec(rest) ?? [];
    if (whole === '' && fraction === '') throw invalid();
    if (BigInt(whole) > limit) throw invalid();
    if (unit === '') throw new TimeError(`time: missing unit in duration ${quoteForTime(text)}`);
    const nanoseconds = units.get(unit);
    if (nanoseconds === undefined) throw new TimeError(`time: unknown unit ${quoteForTime(unit)} in duration ${quoteForTime(text)}`);
    const value = BigInt(whole) * nanoseconds;
    // Go adds in uint64, where twice the limit is zero.
    total = BigInt.asUintN(64, total + value + (point === undefined ? 0n : fractionOf(fraction, nanoseconds)));
    if (value > limit || total > limit) throw invalid();
    rest = rest.slice(part.length);
  }
  if (negative) return -total;
  if (total === limit) throw invalid();
  return total;
}

/** Returns a duration in seconds as a float64. Source: Go time.Duration.Seconds. */
export function durationSeconds(nanoseconds: bigint): number {
  return Number(nanoseconds / second) + Number(nanoseconds % second) / 1e9;
}

/** Formats a duration in nanoseconds as Go prints it: `1h30m0s`, `1.5s`, `200ms`, `0s`. Source: Go time.Duration.String. */
export function durationText(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const n = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (n < 1000n) return `${sign}${n}ns`;
  if (n < 1_000_000n) return `${sign}${fixed(n, 1000n)}µs`;
  if (n < second) return `${sign}${fixed(n, 1_000_000n)}ms`;
  const minutes = n / (60n * second);
  const seconds = `${fixed(n % (60n * second), second)}s`;
  if (minutes === 0n) return sign + seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

const second = 1_000_000_000n;
/** The largest duration plus one; only a negative one may be as large. */
const limit = 1n << 63n;

const units = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['\u00b5s', 1000n],
  ['\u03bcs', 1000n],
  ['ms', 1_000_000n],
  ['s', second],
  ['m', 60n * second],
  ['h', 3600n * second],
]);

/** Returns the nanoseconds in a fraction of a unit: as many digits as fit into an int64, multiplied in float64. */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (value > (limit - 1n) / 10n || next > limit) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** Returns a quotient with all its decimals, without trailing zeros. */
function fixed(value: bigint, unit: bigint): string {
  const decimals = String(value % unit)
    .padStart(String(unit).length - 1, '0')
    .replace(/0+$/, '');
  return decimals === '' ? `${value / unit}` : `${value / unit}.${decimals}`;
}
