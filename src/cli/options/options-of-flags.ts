import type { Interfaces } from '@oclif/core';
import { ownMember } from '../../go/own-members.js';
import type { WithMember } from './option-flags.js';

/** Options of a command, as the rest of the program knows them: in camelCase, with units in the names. */
export type OptionsOf<D extends object> = {
  readonly [K in keyof D & string as D[K] extends WithMember<infer M> ? M : CamelCase<K>]: D[K] extends Interfaces.Flag<infer V>
    ? V
    : never;
};

type CamelCase<S extends string> = S extends `${infer Head}-${infer Rest}` ? `${Head}${Capitalize<CamelCase<Rest>>}` : S;

/** Definitions of flags by their names on the command line. */
type Definitions = Readonly<Record<string, object>>;

/** Returns the options of parsed flags: the only place where names of flags become names of options. */
export function optionsOf<D extends object>(definitions: Definitions, flags: Readonly<Record<string, unknown>>): OptionsOf<D> {
  // The type describes the same names.
  return Object.fromEntries(Object.entries(flags).map(([name, value]) => [optionOf(name, definitions), value])) as OptionsOf<D>;
}

/** Returns the name of a flag's option. */
export function optionOf(name: string, definitions: Definitions): string {
  const definition = ownMember(definitions, name);
  if (definition !== undefined && 'member' in definition && typeof definition.member === 'string') return definition.member;
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
