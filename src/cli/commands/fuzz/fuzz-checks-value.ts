import { nearest } from '../../../client/nearest.js';
import type { ValueType } from '../../../client/options/value-type.js';
import { type FuzzCheckName, fuzzCheckNames } from '../../../fuzz/checks/finding.js';

/** The checks of a search. */
export interface FuzzChecks {
  /** As the user wrote it. */
  readonly text: string;
  /** In the order of documents. */
  readonly names: readonly FuzzCheckName[];
}

/** `--check`: names, or names to leave out with a leading `-`. */
export const fuzzChecksValue: ValueType<FuzzChecks> = {
  parse: text => {
    const words = wordsIn(text);
    if (unknownIn(words) !== undefined) return undefined;
    const wanted = words.filter(word => !word.startsWith('-'));
    const unwanted = new Set(words.filter(word => word.startsWith('-')).map(word => word.slice(1)));
    return { text, names: fuzzCheckNames.filter(name => (wanted.length === 0 || wanted.includes(name)) && !unwanted.has(name)) };
  },
  expected: `some of ${fuzzCheckNames.join(', ')}, each with a - to leave it out`,
  suggest: text => {
    const meant = nearest(unknownIn(wordsIn(text)) ?? '', fuzzCheckNames);
    return meant === undefined ? [] : [`did you mean ${meant}?`];
  },
  schema: { type: 'string' },
};

function wordsIn(text: string): string[] {
  return text
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '');
}

/** Returns the first name that is not one of a check. */
function unknownIn(words: readonly string[]): string | undefined {
  return words.map(word => word.replace(/^-/, '')).find(name => !fuzzCheckNames.some(known => known === name));
}
