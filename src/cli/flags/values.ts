import { Flags } from '@oclif/core';
import { CliError } from '../cli-error.js';
import { durationMs } from './duration.js';

/** The value of a flag that no other value can be: wrong ones are wrong usage. */
export function usageError(flag: string, value: string, wanted: string): CliError {
  return new CliError('usage', `--${flag} is ${JSON.stringify(value)}, and must be ${wanted}`);
}

/** A whole number within bounds, both included. */
export const numberFlag = Flags.custom<number, { min: number; max: number }>({
  parse: async (text, _, { min, max, name }) => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < min || value > max) throw usageError(name, text, `a whole number from ${min} to ${max}`);
    return value;
  },
});

/** A duration as Kubernetes writes it, within bounds: `10s`, `1m30s`, `500ms`; a bare number counts seconds. In milliseconds. */
export const durationFlag = Flags.custom<number, { minMs: number; maxMs: number }>({
  parse: async (text, _, { minMs, maxMs, name }) => {
    const value = durationMs(text);
    if (value === undefined || value < minMs || value > maxMs) {
      throw usageError(name, text, `a duration from ${minMs / 1000}s to ${maxMs / 1000}s`);
    }
    return value;
  },
});

/** A moment: RFC 3339, or a date alone. */
export const timeFlag = Flags.custom<Date>({
  parse: async (text, _, { name }) => {
    const time = new Date(text);
    if (!/^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:?\d\d))?$/.test(text) || Number.isNaN(time.getTime())) {
      throw usageError(name, text, 'a time such as 2026-01-02T15:04:05Z');
    }
    return time;
  },
});

/** One of some words in whatever case; they come out as they are listed. */
export const wordFlag = Flags.custom<string, { words: readonly string[] }>({
  parse: async (text, _, { words, name }) => {
    const found = words.find(word => word.toLowerCase() === text.toLowerCase());
    if (found === undefined) throw usageError(name, text, `one of ${words.join(', ')}`);
    return found;
  },
});
