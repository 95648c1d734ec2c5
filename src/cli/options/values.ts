import { Flags } from '@oclif/core';
import { invalidFlag } from '../../client/cli-error.js';
import type { OptionKind } from '../../client/options/option.js';
import { parseOption } from '../../client/options/option-values.js';

/** A whole number within bounds, both included. */
export const numberFlag = Flags.custom<number, { min: number; max: number }>({
  parse: async (text, _, { min, max, name }) => Number(parsed(name, text, { takes: 'number', min, max })),
});

/** A number of threads; `auto` leaves it to the program. */
export const jobsFlag = Flags.custom<number | 'auto', { max: number }>({
  parse: async (text, _, { max, name }) => {
    const option = { takes: 'number', min: 1, max } as const;
    const result = text === 'auto' ? { value: text } : parseOption(option, text);
    if ('expected' in result) throw invalidFlag(name, text, `${result.expected}, or auto`);
    return result.value === 'auto' ? result.value : Number(result.value);
  },
});

/** A duration as Kubernetes writes it, within bounds: `10s`, `1m30s`, `500ms`; a bare number counts seconds. In the given unit. */
export const durationFlag = Flags.custom<number, { unit: 'Ms' | 'Seconds'; minMs: number; maxMs: number }>({
  parse: async (text, _, { unit, minMs, maxMs, name }) => Number(parsed(name, text, { takes: 'duration', unit, minMs, maxMs })),
});

/** A time: RFC 3339, or a date alone. */
export const timeFlag = Flags.custom<Date>({
  parse: async (text, _, { name }) => new Date(parsed(name, text, { takes: 'time' })),
});

/** One of some words, compared without case; parsed as it is listed. */
export const wordFlag = Flags.custom<string, { choices: readonly string[] }>({
  parse: async (text, _, { choices, name }) => String(parsed(name, text, { takes: 'word', choices })),
});

function parsed(name: string, text: string, option: OptionKind): string | number | Date {
  const result = parseOption(option, text);
  if ('expected' in result) {
    const isTemplate = name === 'output' && /^(jsonpath|go-template|custom-columns|wide)/.test(text);
    throw invalidFlag(name, text, isTemplate ? `${result.expected}; pass -o json to jq for parts of it` : result.expected);
  }
  return result.value;
}
