import { decodeGoBase64 } from '../../go/base64.js';
import { parseDuration } from '../../go/duration.js';
import { quoteForTime, TimeError } from '../../go/quote-for-time.js';
import { parseTimestamp, timestamp } from '../values/times.js';
import type { Timestamp } from '../values/value.js';

/** Units of Scala's durations: full names, prefixes, and nanoseconds. */
const units: readonly (readonly [names: readonly string[], start: string, nanoseconds: bigint])[] = [
  [['ns'], 'nano', 1n],
  [['us', 'µs'], 'micro', 1_000n],
  [['ms'], 'milli', 1_000_000n],
  [['s'], 'sec', 1_000_000_000n],
  [['m'], 'min', 60_000_000_000n],
  [['h', 'hr'], 'hour', 3_600_000_000_000n],
  [['d'], 'day', 86_400_000_000_000n],
  [['w', 'wk'], 'week', 604_800_000_000_000n],
];

/**
 * Nanoseconds of a string with the format `duration`: Go's durations and Scala's (`3 days`). Throws TimeError. Source: kube-openapi
 * validation/strfmt/duration.go.
 */
export function formatDuration(text: string): bigint {
  try {
    return parseDuration(text);
  } catch {
    const found = scalaDuration(text);
    if (found === undefined) throw new TimeError(`unable to parse ${text} as duration`);
    return found;
  }
}

/**
 * Time of a string with the format `date-time`. Throws TimeError: the format allows lower-case letters and any character before the
 * fraction, Go's parser does not. Source: kube-openapi strfmt/time.go ParseDateTime.
 */
export function formatDateTime(text: string): Timestamp {
  if (text === '') return timestamp(0n);
  const moment = parseTimestamp(text) ?? (/^.{19}(?:[.,]\d+)?$/.test(text) ? parseTimestamp(`${text}Z`) : undefined);
  if (moment !== undefined) return moment;
  const [, rest = ''] = /^.{19}(?:[.,]\d+)?(.*)$/s.exec(text) ?? [];
  const why =
    text.charAt(10) === 'T'
      ? `: extra text: ${quoteForTime(rest)}`
      : ` as "2006-01-02T15:04:05": cannot parse ${quoteForTime(text.slice(10))} as "T"`;
  throw new TimeError(`parsing time ${quoteForTime(text)}${why}`);
}

/** Midnight at the start of a `date`. Throws TimeError. */
export function formatDate(text: string): Timestamp {
  const moment = parseTimestamp(`${text}T00:00:00Z`);
  if (moment === undefined) throw new TimeError(`parsing time ${quoteForTime(text)} as "2006-01-02": cannot parse`);
  return moment;
}

/** Bytes of a string with the format `byte`: base64 for URLs, although the format's own rule is different. Throws Base64Error. */
export function formatBytes(text: string): Uint8Array {
  // The characters + and / of standard base64 are invalid here.
  const swapped = text.replace(/[-_+/]/g, digit => ({ '-': '+', _: '/', '+': '-', '/': '_' })[digit] ?? digit);
  return decodeGoBase64(swapped);
}

function scalaDuration(text: string): bigint | undefined {
  let total: bigint | undefined;
  for (const [, digits = '', word = ''] of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    const count = BigInt(digits);
    if (count >= 1n << 63n) return undefined;
    const unit = word.toLowerCase();
    for (const [names, start, nanoseconds] of units) {
      if (names.includes(unit) || unit.startsWith(start)) total = BigInt.asIntN(64, (total ?? 0n) + count * nanoseconds);
    }
  }
  return total;
}
