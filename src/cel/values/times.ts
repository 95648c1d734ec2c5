import type { Duration, Timestamp } from './value.js';

/** Unix seconds of the first and the last timestamp: the years 1 to 9999. */
export const minSeconds = -62135596800n;
export const maxSeconds = 253402300799n;

/** A time in UTC. */
export function timestamp(seconds: bigint, nanoseconds = 0, offsetSeconds = 0): Timestamp {
  return { kind: 'timestamp', seconds, nanoseconds, offsetSeconds };
}

/** Date and time of a timestamp at an offset from UTC. */
export interface CivilTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  /** From 1. */
  readonly yearDay: number;
  /** Sunday is 0. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Date and time at an offset from UTC. */
export function civilTime(seconds: bigint, offsetSeconds: number): CivilTime {
  const local = seconds + BigInt(offsetSeconds);
  const days = floorDiv(local, 86400n);
  const rest = Number(local - days * 86400n);
  const { year, month, day } = civilDate(Number(days));
  return {
    year,
    month,
    day,
    yearDay: Number(days) - daysBefore(year) + 1,
    weekday: (((Number(days) + 4) % 7) + 7) % 7,
    hour: Math.floor(rest / 3600),
    minute: Math.floor((rest % 3600) / 60),
    second: rest % 60,
  };
}

/** Days from 1970-01-01 to a date. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

/** `2026-01-02T03:04:05.5+02:00`. Source: time.RFC3339Nano. */
export function rfc3339(t: Timestamp): string {
  const offset = t.offsetSeconds === 0 ? 'Z' : signedOffset(t.offsetSeconds, ':');
  const { date, clock } = dateAndClock(t);
  return `${date}T${clock}${offset}`;
}

/** `2026-01-02 03:04:05.5 +0200 +0200`, as Go prints a time with %v. */
export function timeText(t: Timestamp): string {
  const { date, clock } = dateAndClock(t);
  const offset = signedOffset(t.offsetSeconds, '');
  return `${date} ${clock} ${offset} ${t.offsetSeconds === 0 ? 'UTC' : offset}`;
}

/** Seconds of a duration as Go's float64. Source: time.Duration.Seconds. */
export function secondsOf({ nanoseconds }: Duration): number {
  const whole = nanoseconds / 1_000_000_000n;
  return Number(whole) + Number(nanoseconds % 1_000_000_000n) / 1e9;
}

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

function civilDate(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = days + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1 };
}

function daysBefore(year: number): number {
  return daysFromCivil(year, 1, 1);
}

function dateAndClock(t: Timestamp): { readonly date: string; readonly clock: string } {
  const c = civilTime(t.seconds, t.offsetSeconds);
  const fraction = t.nanoseconds === 0 ? '' : `.${String(t.nanoseconds).padStart(9, '0').replace(/0+$/, '')}`;
  const year = c.year < 0 ? `-${String(-c.year).padStart(4, '0')}` : String(c.year).padStart(4, '0');
  return { date: `${year}-${two(c.month)}-${two(c.day)}`, clock: `${two(c.hour)}:${two(c.minute)}:${two(c.second)}${fraction}` };
}

function signedOffset(offsetSeconds: number, between: string): string {
  const minutes = Math.floor(Math.abs(offsetSeconds) / 60);
  return `${offsetSeconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${between}${two(minutes % 60)}`;
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}
