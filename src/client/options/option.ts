import type { Operation } from '../operations.js';

/** Kinds of values, with their limits. `pairs` are KEY=VALUE texts; `patch` is a text, or data in the library. */
export type OptionKind =
  | { readonly takes: 'text' | 'texts'; readonly isPath?: true }
  | { readonly takes: 'pairs' | 'switch' | 'time' | 'patch' }
  | { readonly takes: 'word'; readonly words: readonly string[] }
  | { readonly takes: 'number'; readonly min: number; readonly max: number }
  | { readonly takes: 'duration'; readonly minMs: number; readonly maxMs: number };

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

/** Options by long flag name. */
export type OptionTable = Readonly<Record<string, Option>>;

/** Parsed value of an option. Durations are milliseconds. */
export type OptionValue<O extends OptionKind> = O extends { readonly takes: 'switch' }
  ? boolean
  : O extends { readonly takes: 'texts' | 'pairs' }
    ? readonly string[]
    : O extends { readonly takes: 'number' | 'duration' }
      ? number
      : O extends { readonly takes: 'time' }
        ? Date
        : O extends { readonly takes: 'word'; readonly words: readonly (infer W)[] }
          ? W
          : string;

/** Parsed values of the options of a table. */
export type OptionValues<T extends OptionTable> = { readonly [K in keyof T]?: OptionValue<T[K]> | undefined };
