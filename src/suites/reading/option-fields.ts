import path from 'node:path';
import { inputPathIn } from '../../client/manifests/input-path.js';
import type { Option, OptionTable, OptionValues } from '../../client/options/option.js';
import { flagName, memberOf } from '../../client/options/option-names.js';
import { expectedValue, parseOption } from '../../client/options/option-values.js';
import { isList, isMap } from '../../go/value.js';

import { booleanOf, type Field, invalidValue, items, members, noted, textOf, unexpected } from './field.js';

/** Options of suite files by the names of their fields. */
export interface OptionFields<T extends OptionTable> {
  readonly table: T;
  readonly byField: ReadonlyMap<string, NamedOption>;
}

/** An option and its name in the table. */
interface NamedOption {
  readonly name: string;
  readonly option: Option;
}

/** Returns the fields of a table of options: they have the names of the flags. */
export function fieldsOf<T extends OptionTable>(table: T): OptionFields<T> {
  return { table, byField: new Map(Object.entries(table).map(([name, option]) => [flagName(name), { name, option }])) };
}

/** Parses the options that are set among the members of a map; ignores other members. Throws InvalidSuite for another type; invalid values are errors of the source. */
export function readOptions<T extends OptionTable>(field: Field, fields: OptionFields<T>): OptionValues<T> {
  const set = members(field).filter(([, { value }]) => value !== null);
  return Object.assign({}, ...set.map(([name, found]) => noted(found, () => readOption(name, found, fields))));
}

/** Parses the value of one option; no option for another field. Throws InvalidSuite. */
export function readOption<T extends OptionTable>(fieldName: string, field: Field, { byField }: OptionFields<T>): OptionValues<T> {
  const named = byField.get(fieldName);
  // The value has the type that the table gives it.
  return (named === undefined ? {} : { [memberOf(named.name, named.option)]: parsedValue(field, named.option) }) as OptionValues<T>;
}

function parsedValue(field: Field, option: Option): string | number | boolean | Date | readonly string[] {
  if (option.takes === 'switch') return booleanOf(field);
  if (option.takes === 'pairs' && isMap(field.value)) return members(field).map(([name, value]) => `${name}=${textOf(value)}`);
  if (option.takes === 'texts' || option.takes === 'pairs') {
    const texts = isList(field.value) ? items(field) : [field];
    return texts.map(text => String(parsed(text, textOf(text, 'a string or a list of strings'), option)));
  }
  if (option.takes !== 'number') return parsed(field, textOf(field, expectedText(option)), option);
  if (typeof field.value !== 'bigint') throw unexpected(field, expectedValue(option));
  return parsed(field, String(field.value), option);
}

/** YAML parses unquoted times as timestamps. */
function expectedText(option: Option): string {
  return option.takes === 'time' ? `${expectedValue(option)}, in quotes` : expectedValue(option);
}

function parsed(field: Field, text: string, option: Option): string | number | Date {
  const result = parseOption(option, text);
  if ('expected' in result) throw invalidValue(field, JSON.stringify(text), result.expected);
  return 'isPath' in option && typeof result.value === 'string' ? fromFolderOf(field.source.file, result.value) : result.value;
}

/** Returns a path of a suite file, relative to the working directory. */
export function fromFolderOf(file: string, given: string): string {
  return inputPathIn(path.dirname(file), given);
}
