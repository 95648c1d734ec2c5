import type { Operation } from '../operations.js';

/**
 * Kinds of values, with their limits. `pairs` are KEY=VALUE texts; `patch` is a text, or data in the library. A `unit` is part of the
 * name of the parsed value; a duration in seconds is a whole number of them.
 */
export type OptionKind =
  | { readonly takes: 'text' | 'texts'; readonly isPath?: true }
  | { readonly takes: 'pairs' | 'switch' | 'time' | 'patch' }
  | { readonly takes: 'word'; readonly choices: readonly string[] }
  | { readonly takes: 'number'; readonly min: number; readonly max: number; readonly unit?: 'Seconds' }
  | { readonly takes: 'duration'; readonly minMs: number; readonly maxMs: number; readonly unit: 'Ms' | 'Seconds' };

/**
 * One option: a flag of the command line, an option of the library, a field of suite files. All three are made from it, and so are the
 * schema of suite files and the types of the library.
 */
export type Option = OptionKind & {
  readonly description: string;
  /** Heading in the help. */
  readonly group: string;
  /** Short flag. */
  readonly char?: string;
  /** Placeholder of the value in the help; the words by default. */
  readonly placeholder?: string;
  /** Operations the option belongs to; all of them by default. */
  readonly operations?: readonly Operation[];
};

/** Options by their names in the library, in camelCase. The names of flags and of fields of suite files follow from them: `flagName`. */
export type OptionTable = Readonly<Record<string, Option>>;

/** Parsed value of an option. */
export type OptionValue<O extends OptionKind> = O extends { readonly takes: 'switch' }
  ? boolean
  : O extends { readonly takes: 'texts' | 'pairs' }
    ? readonly string[]
    : O extends { readonly takes: 'number' | 'duration' }
      ? number
      : O extends { readonly takes: 'time' }
        ? Date
        : O extends { readonly takes: 'word'; readonly choices: readonly (infer W)[] }
          ? W
          : string;

/** Name of the parsed value of an option: with its unit, if it has one. `requestTimeout` is `requestTimeoutMs`. */
export type Member<Name, O extends OptionKind> = O extends { readonly unit: infer U extends string } ? `${Name & string}${U}` : Name;

/** Parsed values of the options of a table. */
export type OptionValues<T extends OptionTable> = { readonly [K in keyof T as Member<K, T[K]>]?: OptionValue<T[K]> | undefined };
