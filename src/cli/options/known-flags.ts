import type { Risk } from '../../client/options/option.js';
import type { FlagDefinitions } from './given-flags.js';

/** What holds for flags of a name, whatever the command. */
export interface KnownFlag {
  /** Whether it takes a path in any command. */
  readonly isPath: boolean;
  /** Whether no command's flag of this name needs consent, as the table of options says. */
  readonly isHarmless: boolean;
}

export type KnownFlags = ReadonlyMap<string, KnownFlag>;

/** What the table of options says of a flag. */
interface ListedFlag {
  readonly isPath?: boolean;
  readonly risk?: Risk;
}

/** Flags of a command by name. */
export type ListedFlags = Readonly<Record<string, ListedFlag>>;

/** Returns the flags of commands by name. */
export function knownFlagsOf(commands: readonly ListedFlags[]): KnownFlags {
  const known = new Map<string, KnownFlag>();
  for (const [name, { isPath = false, risk }] of commands.flatMap(flags => Object.entries(flags))) {
    const others = known.get(name);
    known.set(name, { isPath: isPath || others?.isPath === true, isHarmless: risk === 'none' && others?.isHarmless !== false });
  }
  return known;
}

/** Returns the flags of one command by name. */
export function knownFlagsIn(definitions: FlagDefinitions): KnownFlags {
  return knownFlagsOf([Object.fromEntries(Object.entries(definitions).map(([name, { option }]) => [name, option]))]);
}
