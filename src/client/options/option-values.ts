import { durationMs } from './duration.js';
import type { OptionKind } from './option.js';

export type ParsedOption = { readonly value: string | number | Date } | { readonly expected: string };

/** Parses one value of an option that is not a switch. */
export function parseOption(option: OptionKind, text: string): ParsedOption {
  const value = parsedValue(option, text);
  return value === undefined ? { expected: expectedValue(option) } : { value };
}

function parsedValue(option: OptionKind, text: string): string | number | Date | undefined {
  switch (option.takes) {
    case 'word':
      return option.choices.find(word => word.toLowerCase() === text.toLowerCase());
    case 'number':
      return /^-?\d+$/.test(text) && isWithin(Number(text), option.min, option.max) ? Number(text) : undefined;
    case 'duration':
      return durationOf(option, text);
    case 'time':
      return timeOf(text);
    default:
      return text;
  }
}

/** Parses a duration in the option's unit; undefined outside the limits, and for a part of a second in an option of whole seconds. */
export function durationOf({ unit, minMs, maxMs }: Extract<OptionKind, { takes: 'duration' }>, text: string): number | undefined {
  const ms = durationMs(text);
  if (ms === undefined || !isWithin(ms, minMs, maxMs)) return undefined;
  if (unit === 'Ms') return ms;
  return ms % 1000 === 0 ? ms / 1000 : undefined;
}

/** RFC 3339, or a date alone. */
function timeOf(text: string): Date | undefined {
  const time = new Date(text);
  return /^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:?\d\d))?$/.test(text) && !Number.isNaN(time.getTime()) ? time : undefined;
}

/** Reports whether a number is within two inclusive bounds. */
export function isWithin(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

/** Describes the values of an option, for messages: `one of json, merge, strategic`. */
export function expectedValue(option: OptionKind): string {
  switch (option.takes) {
    case 'word':
      return `one of ${option.choices.join(', ')}`;
    case 'number':
      return `an integer from ${option.min} to ${option.max}`;
    case 'duration':
      return `a duration from ${option.minMs / 1000}s to ${option.maxMs / 1000}s${option.unit === 'Seconds' ? ', in whole seconds' : ''}`;
    case 'time':
      return 'a time such as 2026-01-02T15:04:05Z';
    case 'switch':
      return 'true or false';
    case 'texts':
    case 'pairs':
      return 'a string or a list of strings';
    default:
      return 'a string';
  }
}
