import path from 'node:path';
import { inputPathIn } from '../../client/manifests/input-path.js';
import type { Option, OptionTable, OptionValues } from '../../client/options/option.js';
import { flagName, optionMemberOf } from '../../client/options/option-names.js';
import { parseValue, type ValueType } from '../../client/options/value-type.js';
import { isList, isMap } from '../../go/value.js';

import { booleanOf, invalidFieldValue, items, members, noted, type SuiteField, textOfField, unexpected } from './field.js';

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
export function readOptions<T extends OptionTable>(field: SuiteField, fields: OptionFields<T>): OptionValues<T> {
  const set = members(field).filter(([, { value }]) => value !== null);
  return Object.assign({}, ...set.map(([name, found]) => noted(found, () => readOption(name, found, fields))));
}

/** Parses the value of one option; no option for another field. Throws InvalidSuite. */
export function readOption<T extends OptionTable>(fieldName: string, field: SuiteField, { byField }: OptionFields<T>): OptionValues<T> {
  const named = byField.get(fieldName);
  // The value has the type that the table gives it.
  return (named === undefined ? {} : { [optionMemberOf(named.name, named.option)]: parsedValue(field, named.option) }) as OptionValues<T>;
}

function parsedValue(field: SuiteField, option: Option): unknown {
  if (option.shape === 'switch') return booleanOf(field);
  const { shape, value, isPath } = option;
  const parse = (at: SuiteField, text: string): unknown => {
    const parsed = parsedText(at, text, value);
    return isPath && typeof parsed === 'string' ? fromFolderOf(field.source.file, parsed) : parsed;
  };
  if (shape === 'one') return parse(field, wordsOf(field, value));
  if (shape === 'pairs' && isMap(field.value)) return members(field).map(([name, at]) => parse(at, `${name}=${textOfField(at)}`));
  const texts = isList(field.value) ? items(field) : [field];
  return texts.map(at => parse(at, textOfField(at, 'a string or a list of strings')));
}

/** Parses a single value. Throws InvalidSuite. */
export function parsedField<T>(field: SuiteField, type: ValueType<T>): T {
  return parsedText(field, wordsOf(field, type), type);
}

function parsedText<T>(field: SuiteField, text: string, type: ValueType<T>): T {
  const result = parseValue(type, text);
  if ('value' in result) return result.value;
  throw invalidFieldValue(field, JSON.stringify(text), result.expected, result.suggestions);
}

/** The text of a single value. */
function wordsOf(field: SuiteField, { schema, expected, expectedInYaml = expected }: ValueType<unknown>): string {
  if (!('type' in schema && schema.type === 'integer')) return textOfField(field, expectedInYaml);
  if (typeof field.value !== 'bigint') throw unexpected(field, expected);
  return String(field.value);
}

/** Returns a path of a suite file, relative to the working directory. */
export function fromFolderOf(file: string, given: string): string {
  return inputPathIn(path.dirname(file), given);
}
