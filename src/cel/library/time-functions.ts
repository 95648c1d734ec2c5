import { type CivilTime, civilTime } from '../../go/civil-time.js';
import { durationSeconds } from '../../go/duration.js';
import { offsetInZone } from '../../go/time-zone.js';
import { binary, type FunctionDeclaration, fn, memberDeclaration, type Overload, unary } from '../check/declarations.js';
import { DURATION, INT, STRING, TIMESTAMP } from '../values/type.js';
import { type CelValue, celError, noSuchOverload, type Timestamp } from '../values/value.js';

/** Date and time fields of a timestamp, in UTC without a zone, and the parts of a duration. */
export const timeFunctions: readonly FunctionDeclaration[] = [
  fn('getFullYear', ...ofTimestamp('year', 'year', t => t.year)),
  fn('getMonth', ...ofTimestamp('month', 'month', t => t.month - 1)),
  fn('getDayOfYear', ...ofTimestamp('day_of_year', 'day_of_year', t => t.yearDay - 1)),
  fn('getDayOfMonth', ...ofTimestamp('day_of_month', 'day_of_month', t => t.day - 1)),
  fn('getDate', ...ofTimestamp('day_of_month_1_based', 'day_of_month_1_based', t => t.day)),
  fn('getDayOfWeek', ...ofTimestamp('day_of_week', 'day_of_week', t => t.weekday)),
  fn(
    'getHours',
    ...ofTimestamp('hours', 'hours', t => t.hour),
    ofDuration('hours', n => truncated(n, 3600)),
  ),
  fn(
    'getMinutes',
    ...ofTimestamp('minutes', 'minutes', t => t.minute),
    ofDuration('minutes', n => truncated(n, 60)),
  ),
  fn(
    'getSeconds',
    ...ofTimestamp('seconds', undefined, t => t.second),
    ofDuration('seconds', n => truncated(n, 1)),
  ),
  fn(
    'getMilliseconds',
    ...ofTimestamp('milliseconds', 'milliseconds', (_, t) => Math.floor(t.nanoseconds / 1_000_000)),
    ofDuration('milliseconds', n => n / 1_000_000n),
  ),
];

type Part = (civil: CivilTime, t: Timestamp) => number;

/** Without and with a zone; the overload id of `getSeconds` with a zone is spelled differently. */
function ofTimestamp(id: string, zoned: string | undefined, part: Part): readonly Overload[] {
  const withZone = zoned === undefined ? `timestamp_to_${id}_tz` : `timestamp_to_${zoned}_with_tz`;
  return [
    memberDeclaration(
      `timestamp_to_${id}`,
      [TIMESTAMP],
      INT,
      unary(t => partOf(t, 'UTC', part)),
    ),
    memberDeclaration(
      withZone,
      [TIMESTAMP, STRING],
      INT,
      binary((t, zone) => partOf(t, zone, part)),
    ),
  ];
}

function partOf(t: CelValue, zone: CelValue, part: Part): CelValue {
  if (typeof t !== 'object' || t.kind !== 'timestamp' || typeof zone !== 'string') return noSuchOverload();
  const offset = offsetInZone(zone, t.seconds);
  return typeof offset === 'object' ? celError(offset.error) : BigInt(part(civilTime(Number(t.seconds), offset), t));
}

function ofDuration(id: string, part: (nanoseconds: bigint) => bigint): Overload {
  const implementation = unary(d => (typeof d === 'object' && d.kind === 'duration' ? part(d.nanoseconds) : noSuchOverload(d)));
  return memberDeclaration(`duration_to_${id}`, [DURATION], INT, implementation);
}

/** Whole units of a duration, computed through a float64 as in Go. */
function truncated(nanoseconds: bigint, unitSeconds: number): bigint {
  const unit = BigInt(unitSeconds) * 1_000_000_000n;
  if (unitSeconds === 1) return BigInt(Math.trunc(durationSeconds(nanoseconds)));
  return BigInt(Math.trunc(Number(nanoseconds / unit) + Number(nanoseconds % unit) / (unitSeconds * 1e9)));
}
