import { TimeError } from '../../go/quote-for-time.js';
import { parseTime } from '../../go/time.js';
import type { Timestamp } from './value.js';

/** Unix seconds of the first and the last timestamp: the years 1 to 9999. */
export const minSeconds = -62135596800n;
export const maxSeconds = 253402300799n;

/** Returns a moment, in UTC unless an offset is given. */
export function timestamp(seconds: bigint, nanoseconds = 0, offsetSeconds = 0): Timestamp {
  return { kind: 'timestamp', seconds, nanoseconds, offsetSeconds };
}

/** Parses an RFC 3339 text; undefined if invalid. Source: Go time.Parse(time.RFC3339, ...). */
export function parseTimestamp(text: string): Timestamp | undefined {
  try {
    const { seconds, nanoseconds, offsetSeconds } = parseTime(text);
    return timestamp(BigInt(seconds), nanoseconds, offsetSeconds);
  } catch (error) {
    if (error instanceof TimeError) return undefined;
    throw error;
  }
}
