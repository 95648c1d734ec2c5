const enable = 'enable-admission-plugins';
const disable = 'disable-admission-plugins';

/** Names of plugins in flags of kube-apiserver. */
export interface PluginFlags {
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

/** What the flags switch on and off; a flag may stand there several times, names are parted by commas. */
export function pluginFlags(flags: readonly string[]): PluginFlags {
  return { enabled: namesIn(flags, enable), disabled: namesIn(flags, disable) };
}

/** What kube-apiserver says against the flags before it ends. Source: apiserver server/options/admission.go Validate. */
export function pluginFlagErrors(flags: readonly string[], known: ReadonlySet<string>): string[] {
  const { enabled, disabled } = pluginFlags(flags);
  const unknown = (flag: string, names: readonly string[]): string[] =>
    names.filter(name => !known.has(name)).map(name => `${flag} plugin ${JSON.stringify(name)} is unknown`);
  const both = [...new Set(enabled)].filter(name => disabled.includes(name)).sort();
  const overlap = both.length === 0 ? [] : [`[${both.join(' ')}] in ${enable} and ${disable} overlapped`];
  return [...unknown(enable, enabled), ...unknown(disable, disabled), ...overlap];
}

/** A whole number that a flag gives; undefined without it. */
export function numberFlag(flags: readonly string[], name: string): bigint | undefined {
  const text = flags.findLast(flag => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
  return text !== undefined && /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}

function namesIn(flags: readonly string[], name: string): string[] {
  const prefix = `--${name}=`;
  return flags.filter(flag => flag.startsWith(prefix)).flatMap(flag => flag.slice(prefix.length).split(','));
}
