import type { Member, OptionKind, OptionTable, OptionValues } from './option.js';

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
export function memberOf<K extends string, O extends OptionKind>(name: K, option: O): Member<K, O> {
  // The type describes the same name.
  return `${name}${('unit' in option ? option.unit : undefined) ?? ''}` as Member<K, O>;
}

/** Returns those options that are in a table, in its order. */
export function pickOptions<T extends OptionTable>(options: object, table: T): OptionValues<T> {
  const values = new Map(Object.entries(options));
  const members = Object.entries(table).map(([name, option]) => memberOf(name, option));
  // Values of the same members have the same types in all tables.
  return Object.fromEntries(members.flatMap(member => (values.has(member) ? [[member, values.get(member)]] : []))) as OptionValues<T>;
}
