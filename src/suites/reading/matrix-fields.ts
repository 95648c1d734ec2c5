import type { OptionTable, OptionValues } from '../../client/options/option.js';
import { type Field, invalid, items, members } from './field.js';
import { type OptionFields, readOption } from './option-fields.js';

/** One combination of a matrix. */
export interface Choice<T extends OptionTable> {
  /** Suffix of the case's name: `operation=update`, `as=jane`. */
  readonly labels: readonly string[];
  readonly options: OptionValues<T>;
}

/** The combination of a case without a matrix. */
export const noChoice = { labels: [], options: {} } as const;

/** Maximum number of combinations: more are probably a mistake. */
const maxChoices = 10_000;

/**
 * Every combination of one value per field of a matrix, the last field changing first. Throws InvalidSuite.
 */
export function readMatrix<T extends OptionTable>(field: Field, fields: OptionFields<T>): Choice<T>[] {
  const none: Choice<T> = { labels: [], options: {} as OptionValues<T> };
  let choices = [none];
  for (const [name, values] of members(field, [...fields.byField.keys()])) {
    const axis = readAxis(name, values, fields);
    choices = choices.flatMap(choice =>
      axis.map(({ word, options }) => ({ labels: [...choice.labels, word], options: { ...choice.options, ...options } })),
    );
    if (choices.length > maxChoices) throw invalid(field, `has more than ${maxChoices} combinations`);
  }
  return choices;
}

/** Reads the values of one field. */
function readAxis<T extends OptionTable>(
  name: string,
  field: Field,
  fields: OptionFields<T>,
): { readonly word: string; readonly options: OptionValues<T> }[] {
  const values = items(field);
  if (values.length === 0) throw invalid(field, 'is an empty list: no case would be left');
  return values.map(value => ({ word: `${name}=${wordOf(value)}`, options: readOption(name, value, fields) }));
}

/** As written in the suite file. */
function wordOf({ value }: Field): string {
  if (Array.isArray(value)) return value.map(String).join('+');
  return String(value);
}
