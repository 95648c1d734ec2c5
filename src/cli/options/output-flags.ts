import { Flags, type Interfaces } from '@oclif/core';
import { wordValue } from '../../client/options/value-type.js';
import { valueFlag } from './values.js';

const output = { helpGroup: 'OUTPUT' } as const;

/** Returns the flag for the output format of a command. */
export function outputFlag<W extends string>(choices: readonly W[]): Interfaces.OptionFlag<W | undefined> {
  return valueFlag(wordValue(choices), {
    ...output,
    char: 'o',
    helpValue: choices.join('|'),
    description: `how to print the result; ${choices[0]} by default`,
  });
}

/** Additional content of documents. */
export const includeFlag = Flags.string({
  ...output,
  helpValue: 'exchange|steps',
  options: ['exchange', 'steps', 'exchange,steps'],
  description: 'with -o json and yaml: add requests and responses, or the measured steps of the call with the objects that they change',
});

/** Additional content of the JSON reports of suites. */
export const includeStepsFlag = Flags.string({
  ...output,
  helpValue: 'steps',
  options: ['steps'],
  description: 'with --reporter json: add the measured steps of calls, which report merge shows as time lines',
});

/** Shows calls of a running command. */
export const openLiveFlag = Flags.boolean({
  ...output,
  description: 'show calls as time lines in the browser as they come; BROWSER names another one',
});

/** Shows the HTML report. */
export const openFlag = Flags.boolean({
  ...output,
  description: 'open the HTML report, with a time line of each call, in the browser; BROWSER names another one',
});
