/** Flags by long name, as a command defines them. */
export type FlagDefinitions = Readonly<Record<string, { readonly type: 'boolean' | 'option'; readonly char?: string | undefined }>>;

/** Which flags the user gave, by long name. Nothing behind `--` is one. */
export function givenFlags(argv: readonly string[], definitions: FlagDefinitions): ReadonlySet<string> {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return new Set(words.flatMap(word => flagsIn(word, definitions)));
}

function flagsIn(word: string, definitions: FlagDefinitions): string[] {
  const long = /^--(?:no-)?([^=]+)/.exec(word)?.[1];
  if (long !== undefined) return [definitions[long] === undefined ? `no-${long}` : long];
  if (!/^-[A-Za-z]/.test(word)) return [];
  const found: string[] = [];
  for (const letter of word.slice(1)) {
    const [name, definition] = Object.entries(definitions).find(([, flag]) => flag.char === letter) ?? [];
    if (name === undefined || definition === undefined) break;
    found.push(name);
    // What follows a letter that takes a value is that value.
    if (definition.type === 'option') break;
  }
  return found;
}
