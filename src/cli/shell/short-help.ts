import type { Command, Config } from '@oclif/core';

const maxColumns = 100;
const shownExamples = 2;
const maxFlags = 7;

/** Returns what `webhook-cli` alone prints: the ways to start. */
export function startHelp(): string {
  return `Test Kubernetes admission webhooks without a cluster: calls them as the API server would, and prints what kubectl would print.

Three ways to start:

  # Watch a built-in webhook change a built-in pod
  webhook-cli review --demo

  # Call your own webhook
  webhook-cli review --url https://127.0.0.1:8443/validate --phase validating -f pod.yaml

  # In the folder of a project: find its webhooks, and write a first test
  webhook-cli init

All commands: webhook-cli --help. One of them: webhook-cli review -h
`;
}

/** Returns the help of a command for `-h`, in about twenty lines: usage, two examples, and the flags that these use. */
export function shortHelp({ bin }: Pick<Config, 'bin'>, command: Command.Loadable): string {
  const usage = `${bin} ${typeof command.usage === 'string' ? command.usage : usageOf(command)}`;
  const examples = (command.examples ?? []).slice(0, shownExamples).map(example => shownExample(example, bin));
  const flags = flagsIn([usage, ...examples], command);
  const name = command.id.replaceAll(':', ' ');
  return [
    `${command.summary ?? ''}\n`,
    `USAGE\n  $ ${usage}\n`,
    ...(examples.length === 0 ? [] : [`EXAMPLES\n${examples.join('\n\n')}\n`]),
    ...(flags.length === 0 ? [] : [`FLAGS\n${flagLines(flags).join('\n')}\n`]),
    `All flags and examples: ${bin} ${name} --help\n`,
  ].join('\n');
}

function usageOf({ id, args }: Command.Loadable): string {
  const words = Object.values(args)
    .filter(({ hidden }) => hidden !== true)
    .map(({ name, required }) => (required === true ? name.toUpperCase() : `[${name.toUpperCase()}]`));
  return [id.replaceAll(':', ' '), ...words, '[FLAGS]'].join(' ');
}

function shownExample(example: Command.Example, bin: string): string {
  const { description, command } = typeof example === 'string' ? { description: '', command: example } : example;
  const line = `  ${command.replaceAll('<%= config.bin %>', bin)}`;
  return description === '' ? line : `  # ${description}\n${line}`;
}

/** Returns the flags that texts name, in this order; for a command whose texts name none, its first ones. */
function flagsIn(texts: readonly string[], command: Command.Loadable): Command.Flag.Cached[] {
  const known = Object.values(command.flags).filter(({ hidden }) => hidden !== true);
  const named = [...texts.join('\n').matchAll(/(?<=[\s[])(?:--([a-z][a-z-]*)|-([A-Za-z]))(?=[\s=\]]|$)/g)].flatMap(([, name, char]) =>
    known.filter(flag => (name === undefined ? flag.char === char : flag.name === name)),
  );
  return [...new Set(named.length === 0 ? known : named)].slice(0, maxFlags);
}

function flagLines(flags: readonly Command.Flag.Cached[]): string[] {
  const names = flags.map(flag => {
    const value = flag.type === 'option' ? `=${flag.helpValue ?? flag.name.toUpperCase()}` : '';
    return `${flag.char === undefined ? '' : `-${flag.char}, `}--${flag.name}${value}`;
  });
  const shortNames = names.map(name => (name.length > maxColumns / 3 ? name.replace(/=.*$/, '=...') : name));
  const width = Math.max(...shortNames.map(({ length }) => length));
  return flags.map(({ description = '' }, i) => {
    const line = `  ${(shortNames[i] ?? '').padEnd(width)}  ${description.replace(/; [\s\S]*$/, '')}`;
    return line.length > maxColumns ? `${line.slice(0, maxColumns - 1).replace(/\s+\S*$/, '')} …` : line;
  });
}
