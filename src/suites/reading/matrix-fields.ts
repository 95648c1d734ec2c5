import type { OptionTable } from '../../client/options/option.js';
import type { FlagValues } from '../suite.js';
import { type Field, invalid, items, members } from './field.js';
import { readFlag } from './flag-fields.js';

/** One combination of a matrix. */
export interface Choice {
  /** Suffix of the case's name: `operation=update`, `as=jane`. */
  readonly words: readonly string[];
  readonly flags: FlagValues;
}

/** Maximum number of combinations: more are probably a mistake. */
const maxChoices = 10_000;

/**
 * Every combination of one value per field of a matrix, the last field changing first; a single empty combination without a matrix. Throws
 * InvalidSuite.
 */
export function readMatrix(field: Field | undefined, fields: OptionTable): Choice[] {
  if (field === undefined) return [{ words: [], flags: {} }];
  let choices: Choice[] = [{ words: [], flags: {} }];
  for (const [name, values] of members(field, Object.keys(fields))) {
    const axis = readAxis(name, values, fields);
    choices = choices.flatMap(choice =>
      axis.map(({ word, flags }) => ({ words: [...choice.words, word], flags: { ...choice.flags, ...flags } })),
    );
    if (choices.length > maxChoices) throw invalid(field, `has more than ${maxChoices} combinations`);
  }
  return choices;
}

/** Reads the values of one field. */
function readAxis(name: string, field: Field, fields: OptionTable): { readonly word: string; readonly flags: FlagValues }[] {
  const flag = fields[name];
  const values = items(field);
  if (flag === undefined || values.length === 0) throw invalid(field, 'is an empty list: no case would be left');
  const axis: { word: string; flags: FlagValues }[] = [];
  for (const value of values) {
    const read = readFlag(value, flag);
    axis.push({ word: `${name}=${wordOf(value)}`, flags: { [name]: read } });
  }
  return axis;
}

/** As written in the suite file. */
function wordOf({ value }: Field): string {
  if (Array.isArray(value)) return value.map(String).join('+');
  return String(value);
}
