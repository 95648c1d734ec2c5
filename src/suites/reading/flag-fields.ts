import path from 'node:path';
import { isList } from '../../go/value.js';
import type { FlagValue, FlagValues } from '../suite.js';
import { booleanOf, type Field, invalid, items, members, textOf, unexpected } from './field.js';

/** A flag of the command line as a field of suite files. */
export interface FlagField {
  readonly takes: 'text' | 'texts' | 'switch' | 'number';
  /** The value is a path, and in a suite file relative to the file. */
  readonly isPath: boolean;
  /** What it must be, for messages and the schema: `one of json, merge, strategic`. */
  readonly wanted: string;
  /** All that it can be. */
  readonly words?: readonly string[] | undefined;
  readonly description: string;
  /** The value of a text; what is wrong with it otherwise. */
  readonly parse: (text: string) => Promise<{ readonly value: string | number | Date } | { readonly error: string }>;
}

/** By name. */
export type FlagFields = Readonly<Record<string, FlagField>>;

/** The flags that are set among the members of a map; those of other names are not looked at. Throws InvalidSuite. */
export async function readFlags(field: Field, fields: FlagFields): Promise<FlagValues> {
  const values: Record<string, FlagValue> = {};
  for (const [name, found] of members(field)) {
    const flag = fields[name];
    if (flag !== undefined && found.value !== null) values[name] = await readFlag(found, flag);
  }
  return values;
}

/** One flag's value. Throws InvalidSuite. */
export async function readFlag(field: Field, flag: FlagField): Promise<FlagValue> {
  if (flag.takes === 'switch') return booleanOf(field);
  if (flag.takes === 'texts') {
    const texts = isList(field.value) ? items(field) : [field];
    const values: string[] = [];
    for (const text of texts) values.push(String(await parsed(text, textOf(text, 'a text or a list of them'), flag)));
    return values;
  }
  if (flag.takes === 'text') return parsed(field, textOf(field, flag.wanted), flag);
  if (typeof field.value !== 'bigint') throw unexpected(field, flag.wanted);
  return parsed(field, String(field.value), flag);
}

async function parsed(field: Field, text: string, flag: FlagField): Promise<string | number | Date> {
  const result = await flag.parse(text);
  if ('error' in result) throw invalid(field, result.error);
  return flag.isPath && typeof result.value === 'string' ? fromFolderOf(field.source.file, result.value) : result.value;
}

/** A path of a suite file as the command line would say it. */
export function fromFolderOf(file: string, given: string): string {
  return given === '-' || path.isAbsolute(given) ? given : path.join(path.dirname(file), given);
}
