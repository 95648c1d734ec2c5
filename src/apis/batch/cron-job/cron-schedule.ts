import { atoi } from '../../../go/parse-integer.js';
import { quoteForTime } from '../../../go/quote-for-time.js';
/** Returns the parser's error for an invalid schedule. Source: robfig/cron v3 ParseStandard. */
export function cronProblem(text: string): string | undefined {
  if (text === '') return 'empty spec string';
  const schedule = withoutZone(text);
  if (schedule.startsWith('@')) return descriptorProblem(schedule);
  const fields = schedule.split(/\s+/).filter(field => field !== '');
  if (fields.length !== 5) return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  for (const [index, field] of fields.entries()) {
    const problem = fieldProblem(field, bounds[index] ?? bounds[0]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly names: readonly string[];
}

const months = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const bounds: readonly [Bounds, ...Bounds[]] = [
  { low: 0, high: 59, names: [] },
  { low: 0, high: 23, names: [] },
  { low: 1, high: 31, names: [] },
  { low: 1, high: 12, names: months },
  { low: 0, high: 6, names: days },
];

function withoutZone(text: string): string {
  const zone = /^(CRON_)?TZ=[^ ]* /.exec(text);
  return zone === null ? text : text.slice(zone[0].length).trim();
}

function descriptorProblem(text: string): string | undefined {
  if (['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'].includes(text)) return undefined;
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`;
  const duration = text.slice('@every '.length);
  return /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h)/.test(duration) || duration === '0'
    ? undefined
    : `failed to parse duration ${text}: time: invalid duration ${quoteForTime(duration)}`;
}

function fieldProblem(field: string, limits: Bounds): string | undefined {
  for (const part of field.split(',').filter(text => text !== '')) {
    const problem = rangeProblem(part, limits);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function rangeProblem(part: string, limits: Bounds): string | undefined {
  const [range = '', step, ...moreSteps] = part.split('/');
  const [low = '', high, ...moreEnds] = range.split('-');
  const isAny = low === '*' || low === '?';
  const start = isAny ? limits.low : numberIn(low, limits);
  if (typeof start === 'string') return start;
  let end: number | string = isAny ? limits.high : start;
  if (!isAny && moreEnds.length > 0) return `too many hyphens: ${part}`;
  if (!isAny && high !== undefined) end = numberIn(high, limits);
  if (typeof end === 'string') return end;
  if (moreSteps.length > 0) return `too many slashes: ${part}`;
  const each = step === undefined ? 1 : plainNumber(step);
  if (typeof each === 'string') return each;
  if (step !== undefined && high === undefined) end = limits.high;
  if (start < limits.low) return `beginning of range (${start}) below minimum (${limits.low}): ${part}`;
  if (end > limits.high) return `end of range (${end}) above maximum (${limits.high}): ${part}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${part}`;
  return each === 0 ? `step of range should be a positive number: ${part}` : undefined;
}

function numberIn(text: string, limits: Bounds): number | string {
  const named = text === '' ? -1 : limits.names.indexOf(text.toLowerCase());
  return named >= 0 ? named : plainNumber(text);
}

function plainNumber(text: string): number | string {
  const value = atoi(text);
  if (typeof value === 'object') return `failed to parse int from ${text}: ${value.error}`;
  return value < 0n ? `negative number (${value}) not allowed: ${text}` : Number(value);
}
