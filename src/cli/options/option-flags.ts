import { Flags, type Interfaces } from '@oclif/core';
import type { Member, Option, OptionTable, OptionValue } from '../../client/options/option.js';
import { type FlagName, flagName, memberOf } from '../../client/options/option-names.js';
import { durationFlag, numberFlag, timeFlag, wordFlag } from './values.js';

/** A flag whose value has this name among the options of a command, instead of the flag's own in camelCase. */
export interface WithMember<M extends string> {
  readonly member: M;
}

/** oclif's flags of a table of options. */
export type FlagsOf<T extends OptionTable> = {
  readonly [K in keyof T & string as FlagName<K>]: Interfaces.Flag<OptionValue<T[K]> | undefined> & WithMember<Member<K, T[K]>>;
};

/** Returns the flags of a table of options. */
export function flagsOf<T extends OptionTable>(options: T): FlagsOf<T> {
  const flags = Object.entries(options).map(([name, option]) => [flagName(name), { ...flagOf(option), member: memberOf(name, option) }]);
  // A flag's parser returns the value type of the option's kind.
  return Object.fromEntries(flags) as unknown as FlagsOf<T>;
}

/** Returns a flag with another name among the options of a command. */
export function withMember<M extends string, V>(member: M, flag: Interfaces.Flag<V>): Interfaces.Flag<V> & WithMember<M> {
  return { ...flag, member };
}

function flagOf(option: Option): object {
  const { description, group, char, placeholder } = option;
  const shown = { helpGroup: group, description, ...(isLetter(char) ? { char } : {}) };
  const valued = { ...shown, ...(placeholder === undefined ? {} : { helpValue: placeholder }) };
  switch (option.takes) {
    case 'switch':
      return Flags.boolean(shown);
    case 'texts':
    case 'pairs':
      return Flags.string({ ...valued, multiple: true, multipleNonGreedy: true });
    case 'word':
      return wordFlag({ helpValue: option.choices.join('|'), ...valued, choices: option.choices });
    case 'number':
      return numberFlag({ ...valued, min: option.min, max: option.max });
    case 'duration':
      return durationFlag({ ...valued, unit: option.unit, minMs: option.minMs, maxMs: option.maxMs });
    case 'time':
      return timeFlag(valued);
    default:
      return Flags.string(valued);
  }
}

function isLetter(char: string | undefined): char is Interfaces.AlphabetLowercase | Interfaces.AlphabetUppercase {
  return char !== undefined && /^[A-Za-z]$/.test(char);
}
