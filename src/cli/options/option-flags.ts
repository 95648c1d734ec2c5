import { Flags, type Interfaces } from '@oclif/core';
import type { Member, Option, OptionTable, OptionValue } from '../../client/options/option.js';
import { type FlagName, flagName, optionMemberOf } from '../../client/options/option-names.js';
import { parseFlag } from './values.js';

/** A flag whose value has this name among the options of a command, instead of the flag's own in camelCase. */
export interface WithMember<M extends string> {
  readonly member: M;
}

/** oclif's flags of a table of options. */
export type FlagsOf<T extends OptionTable> = {
  readonly [K in keyof T & string as FlagName<K>]: Interfaces.Flag<OptionValue<T[K]> | undefined> & WithMember<Member<K, T[K]>>;
};

/** Returns the flags of a table of options. */
export function flagsOfOptions<T extends OptionTable>(options: T): FlagsOf<T> {
  const flags = Object.entries(options).map(([name, option]) => [
    flagName(name),
    { ...flagOf(option), member: optionMemberOf(name, option) },
  ]);
  // A flag's parser returns the value type of the option's kind.
  return Object.fromEntries(flags) as unknown as FlagsOf<T>;
}

/** Returns a flag with another name among the options of a command. */
export function withMember<M extends string, V>(member: M, flag: Interfaces.Flag<V>): Interfaces.Flag<V> & WithMember<M> {
  return { ...flag, member };
}

/** Returns a flag with another description, outside of the groups of the help. */
export function described<F extends object>(flag: F, description: string): F {
  return { ...flag, description, helpGroup: undefined };
}

function flagOf(option: Option): object {
  const { description, group, char, placeholder } = option;
  const shown = { helpGroup: group, description, ...(isLetter(char) ? { char } : {}) };
  if (option.shape === 'switch') return Flags.boolean(shown);
  const { shape, value, choices } = option;
  const helpValue = placeholder ?? choices?.join('|');
  const valued = { ...shown, ...(helpValue === undefined ? {} : { helpValue }) };
  const flag = shape === 'one' ? Flags.string(valued) : Flags.string({ ...valued, multiple: true, multipleNonGreedy: true });
  return { ...flag, parse: async (text: string, _: unknown, { name }: { readonly name: string }) => parseFlag(name, text, value) };
}

function isLetter(char: string | undefined): char is Interfaces.AlphabetLowercase | Interfaces.AlphabetUppercase {
  return char !== undefined && /^[A-Za-z]$/.test(char);
}
