import { ownMember, setOwnMember } from '../../go/own-members.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { LoadedKind, Member, OptionKind, OptionTable, OptionValues } from './option.js';

/** Name of a flag, and of a field of suite files: `caFile` is `ca-file`. */
export type FlagName<S extends string> = S extends `${infer First}${infer Rest}`
  ? Rest extends Uncapitalize<Rest>
    ? `${Lowercase<First>}${FlagName<Rest>}`
    : `${Lowercase<First>}-${FlagName<Rest>}`
  : S;

/** Returns the name of an option as a flag and as a field of suite files. */
export function flagName<S extends string>(name: S): FlagName<S> {
  // The type describes the same replacement.
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`) as FlagName<S>;
}

/** Returns the name of an option's parsed value. */
export function optionMemberOf<K extends string, O extends OptionKind | LoadedKind>(name: K, option: O): Member<K, O> {
  // The type describes the same name.
  return `${name}${('unit' in option ? option.unit : undefined) ?? ''}` as Member<K, O>;
}

/** Returns those options that are in a table, in its order. */
export function pickOptions<T extends OptionTable>(options: object, table: T): OptionValues<T> {
  const picked: Record<string, unknown> = {};
  const values = options as Readonly<Record<string, unknown>>;
  for (const member of membersOf(table)) if (Object.hasOwn(values, member)) setOwnMember(picked, member, ownMember(values, member));
  // Values of the same members have the same types in all tables.
  return picked as OptionValues<T>;
}

const membersOf = memoize((table: OptionTable) => Object.entries(table).map(([name, option]) => optionMemberOf(name, option)));

/** Returns the text of a parsed value; durations are without their unit. */
export function writtenOptionValue(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'text' in value) return String(value.text);
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Returns the text of a parsed value, as it can be written again. */
export function textOfValue(value: unknown, option: OptionKind): string {
  const unit = 'unit' in option ? option.unit : undefined;
  return `${writtenOptionValue(value)}${unit === undefined ? '' : unit === 'Seconds' ? 's' : 'ms'}`;
}
