import path from 'node:path';
import { inputPathIn } from '../../client/manifests/input-path.js';
import type { Option, OptionTable } from '../../client/options/option.js';
import { expectedValue, parseOption } from '../../client/options/option-values.js';
import { isList } from '../../go/value.js';

import type { FlagValue, FlagValues } from '../suite.js';
import { booleanOf, type Field, invalidValue, items, members, textOf, unexpected } from './field.js';

/** Returns the options that are set among the members of a map; ignores other members. Throws InvalidSuite. */
export function readFlags(field: Field, fields: OptionTable): FlagValues {
  const values: Record<string, FlagValue> = {};
  for (const [name, found] of members(field)) {
    const option = fields[name];
    if (option !== undefined && found.value !== null) values[name] = readFlag(found, option);
  }
  return values;
}

/** Returns the value of one option. Throws InvalidSuite. */
export function readFlag(field: Field, option: Option): FlagValue {
  if (option.takes === 'switch') return booleanOf(field);
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
