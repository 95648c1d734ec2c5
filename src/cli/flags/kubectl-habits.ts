/** Replacements for kubectl's flags that are not supported here. */
const instead: Readonly<Record<string, string>> = {
  '-l': 'pass manifests with -f',
  '--selector': 'pass manifests with -f',
  '-A': 'pass manifests with -f',
  '--all-namespaces': 'pass manifests with -f',
  '-v': 'use -o json --include exchange to see requests and responses',
  '--v': 'use -o json --include exchange to see requests and responses',
  '--server': 'pass the webhook with --url, or the cluster state with --state',
  '-s': 'pass the webhook with --url, or the cluster state with --state',
  '--server-side': 'use --operation apply',
  '--save-config': 'omit it',
};

/** Returns the replacement for a flag of kubectl; undefined for other flags. */
export function insteadOfKubectlFlag(flag: string): string | undefined {
  const name = flag.split('=', 1)[0] ?? '';
  return instead[name] ?? instead[/^-[a-zA-Z]/.exec(name)?.[0] ?? ''];
}

/** Returns a suggestion for an argument that is not a flag: users of kubectl may pass a file or a kubectl verb. */
export function adviceForWord(message: string): string | undefined {
  const word = /^Unexpected argument: (\S+)/i.exec(message)?.[1];
  return word === undefined ? undefined : `pass files with -f: -f ${word}`;
}

/** Returns a suggestion for a command to run that was given without the `--` before it. */
export function adviceForCommand(message: string): string | undefined {
  const word = /^Unexpected arguments?: ([^\s,]+)/i.exec(message)?.[1];
  return word === undefined ? undefined : `put -- before the command to run: -- ${word}`;
}
