import { Flags, type Interfaces } from '@oclif/core';
import type { FlagOption, FlagTable, IsSet, LoadedKind, Member, OptionKind, OptionValue } from '../../client/options/option.js';
import { type FlagName, flagName, optionMemberOf } from '../../client/options/option-names.js';
import { parseFlag } from './parse-flag.js';

/** A flag whose value has this name among the options of a command, instead of the flag's own in camelCase. */
export interface WithMember<M extends string> {
  readonly member: M;
}

/** oclif's flags of a table of options. */
export type FlagsOf<T extends FlagTable> = {
  readonly [K in keyof T & string as FlagName<K>]: Interfaces.Flag<ValueOfFlag<T[K]>> & WithMember<Member<K, T[K]>> & OfTable;
};

type ValueOfFlag<O extends OptionKind | LoadedKind> = IsSet<O> extends true ? OptionValue<O> : OptionValue<O> | undefined;

/** A flag that was made from a row of a table. */
export interface OfTable {
  readonly option: FlagOption;
}

/** Returns the flags of a table of options. */
export function flagsOfOptions<T extends FlagTable>(options: T): FlagsOf<T> {
  const flags = Object.entries(options).map(([name, option]) => [
    flagName(name),
    { ...flagOf(option), option, member: optionMemberOf(name, option) },
  ]);
  // A flag's parser returns the value type of the option's kind.
  return Object.fromEntries(flags) as unknown as FlagsOf<T>;
}

/** Returns a flag with another name among the options of a command. */
export function withMember<M extends string, V>(
  member: M,
  flag: Interfaces.Flag<V> & OfTable,
): Interfaces.Flag<V> & WithMember<M> & OfTable {
  return { ...flag, member };
}

function flagOf(option: FlagOption): object {
  const { description, group, char, placeholder, isRequired: required, default: written } = option;
  const shown = {
    description,
    ...(group === undefined ? {} : { helpGroup: group }),
    ...(isLetter(char) ? { char } : {}),
    ...(required === undefined ? {} : { required }),
  };
  if (option.shape === 'switch') return Flags.boolean(shown);
  if (option.shape === 'loaded') {
    const parse = async (text: string, _: unknown, { name }: Named) => parseFlag(name, text, await option.load());
    return { ...Flags.string({ ...shown, ...(placeholder === undefined ? {} : { helpValue: placeholder }) }), parse };
  }
  const { shape, value, choices } = option;
  const helpValue = placeholder ?? choices?.join('|');
  const valued = {
    ...shown,
    ...(helpValue === undefined ? {} : { helpValue }),
    ...(written === undefined ? {} : { default: value.parse(written) as never }),
  };
  const flag = shape === 'one' ? Flags.string(valued) : Flags.string({ ...valued, multiple: true, multipleNonGreedy: true });
  return { ...flag, parse: async (text: string, _: unknown, { name }: Named) => parseFlag(name, text, value) };
}

interface Named {
  readonly name: string;
}

function isLetter(char: string | undefined): char is Interfaces.AlphabetLowercase | Interfaces.AlphabetUppercase {
  return char !== undefined && /^[A-Za-z]$/.test(char);
}
