import type { ClientOperation } from '../operations.js';
import { type DurationLimits, durationValue } from './duration.js';
import { numberOptionValue, patchOption, textValue, timeValue, type ValueType, wordValue } from './value-type.js';

/**
 * Values of an option: `one`, `many` by repeating it, or `pairs`, which are many texts with a `=` and a map in YAML and the library. A
 * `switch` has none. A `unit` is part of the name of the parsed value.
 */
export type OptionKind =
  | { readonly shape: 'switch' }
  | {
      readonly shape: 'one' | 'many' | 'pairs';
      readonly value: ValueType<unknown>;
      readonly isPath?: true;
      readonly unit?: 'Ms' | 'Seconds';
      readonly choices?: readonly string[];
    };

/** An option whose parser is large, and is loaded for its value: flags alone can wait for it. */
export interface LoadedKind<T = unknown> {
  readonly shape: 'loaded';
  readonly load: () => Promise<ValueType<T>>;
}

/** Kinds of options. */
export const onOff = { shape: 'switch' } as const;
export const textOption = { shape: 'one', value: textValue } as const;
export const textsOption = { shape: 'many', value: textValue } as const;
export const path = { shape: 'one', value: textValue, isPath: true } as const;
export const paths = { shape: 'many', value: textValue, isPath: true } as const;
export const timeOption = { shape: 'one', value: timeValue } as const;
export const patchTextOption = { shape: 'one', value: patchOption } as const;

/** One value of a type. */
export function one<T>(value: ValueType<T>): { readonly shape: 'one'; readonly value: ValueType<T> } {
  return { shape: 'one', value };
}

/** One value of a type that is loaded for it. */
export function loaded<T>(load: LoadedKind<T>['load']): LoadedKind<T> {
  return { shape: 'loaded', load };
}

/** Many values of a type. */
export function many<T>(value: ValueType<T>): { readonly shape: 'many'; readonly value: ValueType<T> } {
  return { shape: 'many', value };
}

/** Many values of a type, each with a `=`. */
export function pairs<T>(value: ValueType<T>): { readonly shape: 'pairs'; readonly value: ValueType<T> } {
  return { shape: 'pairs', value };
}

/** One of some words. */
export function word<const W extends string>(
  ...choices: readonly W[]
): { readonly shape: 'one'; readonly value: ValueType<W>; readonly choices: readonly W[] } {
  return { shape: 'one', value: wordValue(choices), choices };
}

/** A whole number. */
export function numberOption(min: number, max: number): { readonly shape: 'one'; readonly value: ValueType<number> } {
  return one(numberOptionValue({ min, max }));
}

/** A duration. */
export function durationOption<const L extends DurationLimits>(
  limits: L,
): { readonly shape: 'one'; readonly value: ValueType<number>; readonly unit: L['unit'] } {
  return { shape: 'one', value: durationValue(limits), unit: limits.unit };
}

/** What an option can do in a file that was found and not named by the user, `webhook-cli.yaml` or a suite, as far as it is limited. */
export type Risk =
  /** Neither of the others: it runs no program, writes no file, names no address. */
  | 'none'
  /** Says where calls go. Its values know whether that is this machine: `ValueType.isLocal`. */
  | 'address'
  /** Says which certificates are believed. */
  | 'certificates'
  /** Weakens a check of a connection, or is sent over it. */
  | 'connection'
  /** Lets calls leave this machine. */
  | 'remote';

/** Of options that a found file may set without the user's consent. */
export const free = { risk: 'none' } as const;

/**
 * One option: a flag of the command line, an option of the library, a field of suite files. All three are made from it, and so are the
 * schema of suite files and the types of the library.
 */
export type Option = OptionKind & OptionDetails;

/** One flag: an option, or one that only the command line has. */
export type FlagOption = (OptionKind | LoadedKind) & OptionDetails;

interface OptionDetails {
  readonly description: string;
  /** Anything, if it is not given: found files need consent for it. */
  readonly risk?: Risk;
  /** Heading in the help. */
  readonly group?: string;
  /** The command needs it. */
  readonly isRequired?: true;
  /** Text of its value if it is not set, as the help shows it. */
  readonly default?: string;
  /** Short flag. */
  readonly char?: string;
  /** Placeholder of the value in the help; the words by default. */
  readonly placeholder?: string;
  /** Operations the option belongs to; all of them by default. */
  readonly operations?: readonly ClientOperation[];
}

/** Options by their names in the library, in camelCase. The names of flags and of fields of suite files follow from them: `flagName`. */
export type OptionTable = Readonly<Record<string, Option>>;

/** Options of commands, by the same names. */
export type FlagTable = Readonly<Record<string, FlagOption>>;

/** Whether an option always has a value. */
export type IsSet<O> = O extends { readonly isRequired: true } | { readonly default: string } ? true : false;

/** Parsed value of an option. */
export type OptionValue<O extends OptionKind | LoadedKind> = O extends { readonly shape: 'switch' }
  ? boolean
  : O extends LoadedKind<infer V>
    ? V
    : O extends { readonly shape: infer S; readonly value: ValueType<infer V> }
      ? S extends 'one'
        ? V
        : readonly V[]
      : never;

/** Name of the parsed value of an option: with its unit, if it has one. `requestTimeout` is `requestTimeoutMs`. */
export type Member<Name, O extends OptionKind | LoadedKind> = O extends { readonly unit: infer U extends string }
  ? `${Name & string}${U}`
  : Name;

/** Parsed values of the options of a table. */
export type OptionValues<T extends FlagTable> = {
  readonly [K in keyof T as IsSet<T[K]> extends true ? never : Member<K, T[K]>]?: OptionValue<T[K]> | undefined;
} & { readonly [K in keyof T as IsSet<T[K]> extends true ? Member<K, T[K]> : never]: OptionValue<T[K]> };
