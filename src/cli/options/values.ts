import { Flags, type Interfaces } from '@oclif/core';
import { CliError, invalidFlag } from '../../client/cli-error.js';
import { durationValue } from '../../client/options/duration.js';
import { jobsValue, numberOptionValue, parseValue, timeValue, type ValueType, wordValue } from '../../client/options/value-type.js';

/** A whole number within bounds, both included. */
export const numberFlag = Flags.custom<number, { min: number; max: number }>({
  parse: async (text, _, { min, max, name }) => parseFlag(name, text, numberOptionValue({ min, max })),
});

/** A number of threads; `auto` leaves it to the program. */
export const jobsFlag = Flags.custom<number | 'auto', { max: number }>({
  parse: async (text, _, { max, name }) => parseFlag(name, text, jobsValue(max)),
});

/** A duration as Kubernetes writes it, within bounds: `10s`, `1m30s`, `500ms`; a bare number counts seconds. In the given unit. */
export const durationFlag = Flags.custom<number, { unit: 'Ms' | 'Seconds'; minMs: number; maxMs: number }>({
  parse: async (text, _, { unit, minMs, maxMs, name }) => parseFlag(name, text, durationValue({ unit, minMs, maxMs })),
});

/** A time: RFC 3339, or a date alone. */
export const timeFlag = Flags.custom<Date>({ parse: async (text, _, { name }) => parseFlag(name, text, timeValue) });

/** One of some words, compared without case; parsed as it is listed. */
export const wordFlag = Flags.custom<string, { choices: readonly string[] }>({
  parse: async (text, _, { choices, name }) => parseFlag(name, text, wordValue(choices)),
});

/** A flag with a value of this type. */
export function valueFlag<T>(type: ValueType<T>, shown: FlagInHelp): Interfaces.OptionFlag<T | undefined> {
  const parse = async (text: string, _: unknown, { name }: { readonly name: string }): Promise<T> => parseFlag(name, text, type);
  // oclif's type of a parser depends on whether the flag can be repeated.
  return { ...Flags.string({ ...shown }), parse } as unknown as Interfaces.OptionFlag<T | undefined>;
}

/** What the help shows of a flag. */
export interface FlagInHelp {
  readonly description: string;
  readonly helpValue?: string;
  readonly helpGroup?: string;
  readonly char?: Interfaces.AlphabetLowercase | Interfaces.AlphabetUppercase;
}

/** Parses the value of a flag. Throws CliError, which names the flag. */
export function parseFlag<T>(name: string, text: string, type: ValueType<T>): T {
  const result = parseValue(type, text);
  if ('value' in result) return result.value;
  const isTemplate = name === 'output' && /^(jsonpath|go-template|custom-columns|wide)/.test(text);
  const error = invalidFlag(name, text, isTemplate ? `${result.expected}; pass -o json to jq for parts of it` : result.expected);
  throw result.suggestions.length === 0 ? error : new CliError(error.code, error.message, { suggestions: result.suggestions });
}
