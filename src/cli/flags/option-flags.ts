import { Flags, type Interfaces } from '@oclif/core';
import type { Option, OptionTable, OptionValue } from '../../client/options/option.js';
import { durationFlag, numberFlag, timeFlag, wordFlag } from './values.js';

/** oclif's flags of a table of options. */
export type FlagsOf<T extends OptionTable> = { readonly [K in keyof T]: Interfaces.Flag<OptionValue<T[K]> | undefined> };

/** Returns the flags of a table of options, by the same names. */
export function flagsOf<T extends OptionTable>(options: T): FlagsOf<T> {
  // A flag's parser returns the value type of the option's kind.
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, flagOf(option)])) as unknown as FlagsOf<T>;
}

function flagOf(option: Option): unknown {
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
      return wordFlag({ helpValue: option.words.join('|'), ...valued, words: option.words });
    case 'number':
      return numberFlag({ ...valued, min: option.min, max: option.max });
    case 'duration':
      return durationFlag({ ...valued, minMs: option.minMs, maxMs: option.maxMs });
    case 'time':
      return timeFlag(valued);
    default:
      return Flags.string(valued);
  }
}

function isLetter(char: string | undefined): char is Interfaces.AlphabetLowercase | Interfaces.AlphabetUppercase {
  return char !== undefined && /^[A-Za-z]$/.test(char);
}
