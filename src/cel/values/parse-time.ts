import { daysFromCivil, timestamp } from './times.js';
import type { Timestamp } from './value.js';

/**
 * The moment of an RFC 3339 text; undefined when it is none. Like Go's parser it takes one digit for the hour, a comma before the fraction,
 * and offsets up to 24:60. Source: time.Parse(time.RFC3339, ...).
 */
export function parseRfc3339(text: string): Timestamp | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = offsetOf(match[8] ?? 'Z');
  if (offset === undefined) return undefined;
  const nanoseconds = Number((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  const local = BigInt(daysFromCivil(year, month, day)) * 86400n + BigInt(hour * 3600 + minute * 60 + second);
  return timestamp(local - BigInt(offset), nanoseconds, offset);
}

const pattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})$/;

function offsetOf(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 24 || minutes > 60) return undefined;
  const seconds = hours * 3600 + minutes * 60;
  return zone.startsWith('-') ? -seconds : seconds;
}

function daysIn(year: number, month: number): number {
  const next = month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1);
  return next - daysFromCivil(year, month, 1);
}
