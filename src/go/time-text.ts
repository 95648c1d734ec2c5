import { civilTime } from './civil-time.js';
import { type Moment, parseMicroTime, parseTime, zeroTime } from './time.js';

/** A moment as package time prints it; a bigint counts the same seconds. */
export interface PrintableTime {
  readonly seconds: number | bigint;
  readonly nanoseconds: number;
  readonly offsetSeconds: number;
}

/** Formats a moment in UTC without a fraction: `2006-01-02T15:04:05Z`. Source: metav1.Time.MarshalJSON. */
export function timeText({ seconds }: Moment): string {
  const { date, clock } = dateAndClock({ seconds, nanoseconds: 0, offsetSeconds: 0 });
  return `${date}T${clock}Z`;
}

/** Formats a moment in UTC with six digits of a fraction. Source: metav1.MicroTime.MarshalJSON. */
export function microTimeText(moment: Moment): string {
  const microseconds = Math.floor(moment.nanoseconds / 1000);
  return `${timeText(moment).slice(0, -1)}.${String(microseconds).padStart(6, '0')}Z`;
}

/** Returns a time as Go writes it again after reading; undefined for the zero time, which is written as null. Throws TimeError. */
export function canonicalTime(text: string): string | undefined {
  if (isWrittenTime(text)) return text;
  const moment = parseTime(text);
  return isZeroTime(moment) ? undefined : timeText(moment);
}

/** Reports whether a text is certainly a time other than the zero time, as Go writes it: most times are, and need no parsing. */
export function isWrittenTime(text: string): boolean {
  return writtenTime.test(text);
}

/** In UTC, without a fraction, from the year 1000 on; the 29th of February is left out. */
const writtenTime =
  /^[1-9]\d{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** Returns a MicroTime as Go writes it again after reading; undefined for the zero time. Throws TimeError. */
export function canonicalMicroTime(text: string): string | undefined {
  const moment = parseMicroTime(text);
  return isZeroTime(moment) ? undefined : microTimeText(moment);
}

/** Returns whether a moment is Go's zero time. */
export function isZeroTime({ seconds, nanoseconds }: Moment): boolean {
  return seconds === zeroTime.seconds && nanoseconds === zeroTime.nanoseconds;
}

/** Formats a moment at its offset, with the digits of its fraction: `2026-01-02T03:04:05.5+02:00`. Source: Go time.RFC3339Nano. */
export function rfc3339Nano(time: PrintableTime): string {
  const offset = time.offsetSeconds === 0 ? 'Z' : offsetText(time.offsetSeconds, ':');
  const { date, clock } = dateAndClock(time);
  return `${date}T${clock}${offset}`;
}

/** Formats a moment as %v does: `2026-01-02 03:04:05.5 +0200 +0200`. Source: Go time.Time.String. */
export function goTimeText(time: PrintableTime): string {
  const { date, clock } = dateAndClock(time);
  const offset = offsetText(time.offsetSeconds, '');
  return `${date} ${clock} ${offset} ${time.offsetSeconds === 0 ? 'UTC' : offset}`;
}

function dateAndClock({ seconds, nanoseconds, offsetSeconds }: PrintableTime): { readonly date: string; readonly clock: string } {
  const c = civilTime(Number(seconds), offsetSeconds);
  const fraction = nanoseconds === 0 ? '' : `.${String(nanoseconds).padStart(9, '0').replace(/0+$/, '')}`;
  const year = `${c.year < 0 ? '-' : ''}${String(Math.abs(c.year)).padStart(4, '0')}`;
  return { date: `${year}-${two(c.month)}-${two(c.day)}`, clock: `${two(c.hour)}:${two(c.minute)}:${two(c.second)}${fraction}` };
}

function offsetText(offsetSeconds: number, between: string): string {
  const minutes = Math.floor(Math.abs(offsetSeconds) / 60);
  return `${offsetSeconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${between}${two(minutes % 60)}`;
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}
