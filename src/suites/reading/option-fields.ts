import path from 'node:path';
import { inputPathIn } from '../../client/manifests/input-path.js';
import { isAddress } from '../../client/options/address-values.js';
import type { Option, OptionTable, OptionValues } from '../../client/options/option.js';
import { flagName, optionMemberOf } from '../../client/options/option-names.js';
import { type OptionEdge, parseOption, parseText } from '../../client/options/parse-option.js';
import type { ValueType } from '../../client/options/value-type.js';
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
  if (named === undefined) return {} as OptionValues<T>;
  const { name, option } = named;
  // The value has the type that the table gives it.
  return { [optionMemberOf(name, option)]: placedValue(parseOption(option, field, suiteEdge), option, field) } as OptionValues<T>;
}

/** Parses a single value. Throws InvalidSuite. */
export function parsedField<T>(field: SuiteField, type: ValueType<T>): T {
  return parseText(type, suiteEdge.textAt(field, type), suiteEdge.refuse);
}

/** Fields of suite files. */
const suiteEdge: OptionEdge<SuiteField> = {
  switchAt: booleanOf,
  textAt: (field, { schema, expected, expectedInYaml = expected }) => {
    if (!('type' in schema && schema.type === 'integer')) return { at: field, text: textOfField(field, expectedInYaml) };
    if (typeof field.value !== 'bigint') throw unexpected(field, expected);
    return { at: field, text: String(field.value) };
  },
  textsAt: (field, shape) => {
    if (shape === 'pairs' && isMap(field.value)) return members(field).map(([name, at]) => ({ at, text: `${name}=${textOfField(at)}` }));
    const texts = isList(field.value) ? items(field) : [field];
    return texts.map(at => ({ at, text: textOfField(at, 'a string or a list of strings') }));
  },
  refuse: ({ at, text }, { expected, suggestions }) => invalidFieldValue(at, JSON.stringify(text), expected, suggestions),
};

/** Returns a value of an option with paths relative to the working directory. */
function placedValue(value: unknown, option: Option, { source }: SuiteField): unknown {
  if (option.shape === 'switch' || option.isPath !== true) return value;
  const placed = (one: unknown): unknown => (typeof one === 'string' && !isAddress(one) ? fromFolderOf(source.file, one) : one);
  return Array.isArray(value) ? value.map(placed) : placed(value);
}

/** Returns a path of a suite file, relative to the working directory. */
export function fromFolderOf(file: string, given: string): string {
  return inputPathIn(path.dirname(file), given);
}
