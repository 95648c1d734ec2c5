import { daysFromCivil, isCalendarDate } from './civil-time.js';
import { quoteForTime, TimeError } from './quote-for-time.js';

/** Result of parsing a time. */
export interface Moment {
  /** Since 1970 in UTC. */
  readonly seconds: number;
  readonly nanoseconds: number;
  /** Seconds east of UTC, as written. */
  readonly offsetSeconds: number;
}

/** Go's zero time, in the year 1. Kubernetes writes it as null. */
export const zeroTime: Moment = { seconds: -62135596800, nanoseconds: 0, offsetSeconds: 0 };

/** Parses `2006-01-02T15:04:05Z`, with a zone and optionally a fraction of a second. Throws TimeError. Source: Go time.Parse with RFC3339, as metav1.Time uses it. */
export function parseTime(text: string): Moment {
  return parse(text, 'seconds');
}

/** Parses `2006-01-02T15:04:05.000000Z`, with a zone. Throws TimeError. Source: metav1.MicroTime. */
export function parseMicroTime(text: string): Moment {
  return parse(text, 'microseconds');
}

/** State of a parser: `rest` is not parsed yet. */
interface Parsing {
  readonly text: string;
  readonly layout: string;
  rest: string;
}

const layouts = { seconds: '2006-01-02T15:04:05Z07:00', microseconds: '2006-01-02T15:04:05.000000Z07:00' };

function parse(text: string, precision: 'seconds' | 'microseconds'): Moment {
  const parsing: Parsing = { text, layout: layouts[precision], rest: text };
  const year = takeYear(parsing);
  takeLiteral(parsing, '-');
  const month = takeNumber(parsing, { element: '01', fixed: true, range: [1, 12], name: 'month' });
  takeLiteral(parsing, '-');
  const day = takeNumber(parsing, { element: '02', fixed: true });
  takeLiteral(parsing, 'T');
  const hour = takeNumber(parsing, { element: '15', fixed: false, range: [0, 23], name: 'hour' });
  takeLiteral(parsing, ':');
  const minute = takeNumber(parsing, { element: '04', fixed: true, range: [0, 59], name: 'minute' });
  takeLiteral(parsing, ':');
  const second = takeNumber(parsing, { element: '05', fixed: true, range: [0, 59], name: 'second' });
  const nanoseconds = precision === 'seconds' ? takeAnyFraction(parsing) : takeMicroseconds(parsing);
  const offsetSeconds = takeZone(parsing);
  if (parsing.rest !== '') throw new TimeError(`parsing time ${quoteForTime(text)}: extra text: ${quoteForTime(parsing.rest)}`);
  if (!isCalendarDate(year, month, day)) throw outOfRange(parsing, 'day');
  const local = daysFromCivil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
  return { seconds: local - offsetSeconds, nanoseconds, offsetSeconds };
}

function cannotParse({ text, layout, rest }: Parsing, element: string): TimeError {
  const [whole, form, value, wanted] = [text, layout, rest, element].map(quoteForTime);
  return new TimeError(`parsing time ${whole} as ${form}: cannot parse ${value} as ${wanted}`);
}

function outOfRange({ text }: Parsing, name: string): TimeError {
  return new TimeError(`parsing time ${quoteForTime(text)}: ${name} out of range`);
}

function takeLiteral(parsing: Parsing, literal: string): void {
  if (!parsing.rest.startsWith(literal)) throw cannotParse(parsing, literal);
  parsing.rest = parsing.rest.slice(literal.length);
}

function takeYear(parsing: Parsing): number {
  if (!/^[0-9]{4}/.test(parsing.rest)) throw cannotParse(parsing, '2006');
  const year = Number(parsing.rest.slice(0, 4));
  parsing.rest = parsing.rest.slice(4);
  return year;
}

interface NumberForm {
  /** As the layout has it. */
  readonly element: string;
  /** Two digits, not one. */
  readonly fixed: boolean;
  readonly range?: readonly [number, number];
  readonly name?: string;
}

function takeNumber(parsing: Parsing, { element, fixed, range, name = '' }: NumberForm): number {
  const digits = /^[0-9]{1,2}/.exec(parsing.rest)?.[0] ?? '';
  if (digits === '' || (fixed && digits.length === 1)) throw cannotParse(parsing, element);
  const value = Number(digits);
  if (range !== undefined && (value < range[0] || value > range[1])) throw outOfRange(parsing, name);
  parsing.rest = parsing.rest.slice(digits.length);
  return value;
}

/** A fraction of any length, which the layout does not ask for. */
function takeAnyFraction(parsing: Parsing): number {
  const [fraction = '', digits = ''] = /^[.,]([0-9]+)/.exec(parsing.rest) ?? [];
  parsing.rest = parsing.rest.slice(fraction.length);
  return nanosecondsOf(digits);
}

/** A point and six characters that Go reads as an integer, so that the first may be a sign. */
function takeMicroseconds(parsing: Parsing): number {
  const [, sign, digits] = /^[.,](?=.{6})([+-]?)([0-9]{5,6})/.exec(parsing.rest.slice(0, 7)) ?? [];
  if (sign === undefined || digits === undefined || sign.length + digits.length !== 6) throw cannotParse(parsing, '.000000');
  if (sign === '-' && Number(digits) > 0) throw outOfRange(parsing, 'fractional second');
  parsing.rest = parsing.rest.slice(7);
  return Number(digits) * 1000;
}

function nanosecondsOf(digits: string): number {
  return Number(digits.slice(0, 9).padEnd(9, '0'));
}

/** Seconds east of UTC. */
function takeZone(parsing: Parsing): number {
  const { rest } = parsing;
  if (rest.startsWith('Z')) {
    parsing.rest = rest.slice(1);
    return 0;
  }
  const [, sign, hours = ''] = /^([^\x80-\uffff])([0-9]{2}):/.exec(rest) ?? [];
  if (sign === undefined || new TextEncoder().encode(rest).length < 6) throw cannotParse(parsing, 'Z07:00');
  const minutes = /^[0-9]{2}/.exec(rest.slice(4))?.[0];
  if (Number(minutes ?? 0) > 60) throw outOfRange(parsing, 'time zone offset minute');
  if (Number(hours) > 24) throw outOfRange(parsing, 'time zone offset hour');
  if (minutes === undefined || (sign !== '+' && sign !== '-')) throw cannotParse(parsing, 'Z07:00');
  parsing.rest = rest.slice(6);
  const seconds = Number(hours) * 3600 + Number(minutes) * 60;
  return sign === '-' ? -seconds : seconds;
}
