import { ownMember } from '../../go/own-members.js';
import type { OfTable } from './option-flags.js';

/** Flags by long name, as a command defines them. */
export type FlagDefinitions = Readonly<Record<string, FlagDefinition>>;

interface FlagDefinition extends OfTable {
  readonly type: 'boolean' | 'option';
  readonly char?: string | undefined;
}

/** Returns the flags on the command line before `--`, by long name. */
export function givenFlags(argv: readonly string[], definitions: FlagDefinitions): ReadonlySet<string> {
  const end = argv.indexOf('--');
  const beforeDashes = end < 0 ? argv : argv.slice(0, end);
  return new Set(beforeDashes.flatMap(word => flagsIn(word, definitions)));
}

/** Returns the values of a long flag on the command line before `--`; an empty text for a switch. */
export function givenValues(name: string, argv: readonly string[], definitions: FlagDefinitions): readonly string[] {
  const end = argv.indexOf('--');
  const beforeDashes = end < 0 ? argv : argv.slice(0, end);
  return beforeDashes.flatMap((word, i) => {
    if (word.startsWith(`--${name}=`)) return [word.slice(name.length + 3)];
    if (word !== `--${name}`) return [];
    return [ownMember(definitions, name)?.type === 'option' ? (beforeDashes[i + 1] ?? '') : ''];
  });
}

function flagsIn(word: string, definitions: FlagDefinitions): string[] {
  const long = /^--(?:no-)?([^=]+)/.exec(word)?.[1];
  if (long !== undefined) return [ownMember(definitions, long) === undefined ? `no-${long}` : long];
  if (!/^-[A-Za-z]/.test(word)) return [];
  const found: string[] = [];
  for (const letter of word.slice(1)) {
    const [name, definition] = Object.entries(definitions).find(([, flag]) => flag.char === letter) ?? [];
    if (name === undefined || definition === undefined) break;
    found.push(name);
    // The rest of the word is the value of this flag.
    if (definition.type === 'option') break;
  }
  return found;
}
