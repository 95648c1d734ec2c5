import { free, one, onOff, word } from '../../client/options/option.js';
import type { ValueType } from '../../client/options/value-type.js';

const output = { group: 'OUTPUT' } as const;

/** Returns the option for the output format of a command, the default first. */
export function outputOption<const W extends string>(choices: readonly [W, ...W[]]) {
  return {
    ...word(...choices),
    ...output,
    ...free,
    char: 'o',
    description: `how to print the result; ${choices[0]} by default`,
  } as const;
}

/** Additional content of documents. */
export type Content = 'exchange' | 'steps';

/** `--include` */
const contentsValue: ValueType<readonly Content[]> = {
  parse: text => {
    if (text === 'exchange' || text === 'steps') return [text];
    return text === 'exchange,steps' ? ['exchange', 'steps'] : undefined;
  },
  expected: 'exchange, steps or exchange,steps',
  schema: { type: 'string' },
};

/** Additional content of documents. */
export const includeOption = {
  ...one(contentsValue),
  ...output,
  ...free,
  placeholder: 'exchange|steps',
  description: 'with -o json and yaml: add requests and responses, or the measured steps of the call with the objects that they change',
} as const;

/** Additional content of the JSON reports of suites. */
export const includeStepsOption = {
  ...word('steps'),
  ...output,
  ...free,
  description: 'with --reporter json: add the measured steps of calls, which report merge shows as time lines',
} as const;

/** Shows calls of a running command. */
export const openLiveOption = {
  ...onOff,
  ...output,
  description: 'show calls as time lines in the browser as they come; BROWSER names another one',
} as const;

/** Shows the HTML report. */
export const openOption = {
  ...onOff,
  ...output,
  description: 'open the HTML report, with a time line of each call, in the browser; BROWSER names another one',
} as const;
