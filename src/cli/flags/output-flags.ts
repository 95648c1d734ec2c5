import { Flags, type Interfaces } from '@oclif/core';
import { wordFlag } from './values.js';

const output = { helpGroup: 'OUTPUT' } as const;

/** The formats a command can print. */
export function outputFlag(words: readonly string[]): Interfaces.OptionFlag<string | undefined, Interfaces.CustomOptions> {
  return wordFlag({
    ...output,
    char: 'o',
    words,
    helpValue: words.join('|'),
    description: `how to print the result; ${words[0]} by default`,
  });
}

/** What documents tell besides. */
export const includeFlag = Flags.string({
  ...output,
  helpValue: 'exchange',
  options: ['exchange'],
  description: 'with -o json and yaml: what was sent and what came back',
});
