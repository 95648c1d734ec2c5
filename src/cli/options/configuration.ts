import { CliError, type Location } from '../../client/cli-error.js';
import type { Option } from '../../client/options/option.js';
import { ownMember } from '../../go/own-members.js';
import { oneLine } from '../../writers/printable.js';
import type { Surroundings } from '../shell/surroundings.js';
import { type ConfigurationFile, readConfigurationFile } from './configuration-file.js';
import { type FlagDefinitions, givenFlags, givenValues } from './given-flags.js';
import { type KnownFlags, knownFlagsIn } from './known-flags.js';
import { askForTrust, changedParts } from './trust/ask-for-trust.js';
import { isTrusted, trustsAll, trustVariable } from './trust/consent.js';
import { areLocal, isFree } from './trust/is-free.js';

/** Mutually exclusive flags: a given flag disables the defaults of the others. */
const alternatives = [
  ['url', 'demo'],
  ['filename', 'call', 'case'],
  ['patch', 'patch-file'],
  ['handler', 'script'],
];

/** Where the value of a flag comes from that was not typed: a variable, or a place in `webhook-cli.yaml`. */
export type Origin = { readonly variable: string } | { readonly location: Location };

/** Arguments that were not typed, and the origins of their flags. */
export interface Configured {
  readonly argv: readonly string[];
  readonly origins: ReadonlyMap<string, Origin>;
}

/**
 * Returns arguments for flags that are not given: from the variables `WEBHOOK_CLI_*`, otherwise from the nearest `webhook-cli.yaml`. Flags of the file that
 * need consent count only with it; otherwise a warning names them. `known` returns the flags of all commands; unknown keys in the file are errors. It is
 * called only when there is a file.
 */
export async function readConfiguredArguments(
  argv: readonly string[],
  { definitions, known }: { readonly definitions: FlagDefinitions; readonly known: () => Promise<KnownFlags> },
  surroundings: Pick<Surroundings, 'env' | 'cwd' | 'stderr' | 'stdin'>,
): Promise<Configured> {
  const { env } = surroundings;
  const given = givenFlags(argv, definitions);
  const origins = new Map<string, Origin>();
  if (given.has('case')) return { argv: [], origins };
  const file = await readConfigurationFile(surroundings, async () => new Map([...(await known()), ...knownFlagsIn(definitions)]));
  const excluded = new Set(alternatives.filter(group => group.some(name => given.has(name))).flat());
  const wanted = Object.keys(definitions).filter(name => !given.has(name) && !excluded.has(name));
  const fromFile = wanted.filter(name => env[variableOf(name)] === undefined && file?.values.has(name));
  const callsRemote = namesOtherMachine(argv, definitions, env);
  const untrusted = file === undefined ? [] : untrustedKeys(file, fromFile, { definitions, env, callsRemote });
  const ignored = file === undefined || untrusted.length === 0 ? [] : await findIgnoredKeys(file, untrusted, surroundings);
  const added = wanted.flatMap(name => {
    const variable = env[variableOf(name)];
    const configured = ignored.includes(name) ? [] : (file?.values.get(name) ?? []);
    const values = variable !== undefined ? variable.split('\n').filter(line => line !== '') : configured;
    if (variable !== undefined) origins.set(name, { variable: variableOf(name) });
    else if (file !== undefined && values.length > 0) origins.set(name, { location: file.locate(name) });
    return values.map(value => argumentOf(name, value, { isSwitch: ownMember(definitions, name)?.type === 'boolean', origins }));
  });
  return { argv: added, origins };
}

/** Returns an error about a flag that was not typed with the origin of its value, and any other error as it is. */
export function withOrigin(error: CliError, origins: Configured['origins']): CliError {
  if (error.code !== 'usage' || error.location !== undefined) return error;
  const named = [...error.message.matchAll(/--([a-z][a-z0-9-]*)/g)].map(([, name = '']) => origins.get(name));
  const origin = named.find(found => found !== undefined);
  if (origin === undefined) return error;
  const { suggestions } = error;
  return 'variable' in origin
    ? new CliError('usage', `${origin.variable}: ${error.message}`, { suggestions, cause: error })
    : new CliError('usage', error.message, { location: origin.location, suggestions, cause: error });
}

interface TrustContext {
  readonly definitions: FlagDefinitions;
  readonly env: Surroundings['env'];
  readonly callsRemote: boolean;
}

function untrustedKeys(file: ConfigurationFile, names: readonly string[], { definitions, env, callsRemote }: TrustContext): string[] {
  const risky = names.filter(name => {
    const option: Partial<Pick<Option, 'risk'>> = ownMember(definitions, name)?.option ?? {};
    // Harmless for calls to this machine, where other keys of the file cannot name another one.
    const isHarmless = isFree(option, file.values.get(name) ?? []) || (option.risk === 'certificates' && !callsRemote);
    return !isHarmless;
  });
  return risky.length === 0 || trustsAll(env) || isTrusted(file.subject(), env) ? [] : risky;
}

/** Reports whether the command line or the environment lets calls leave this machine. Files of certificates then decide who is believed. */
export function namesOtherMachine(argv: readonly string[], definitions: FlagDefinitions, env: Surroundings['env']): boolean {
  const values = (name: string): readonly string[] => [
    ...givenValues(name, argv, definitions),
    ...(env[variableOf(name)]?.split('\n') ?? []),
  ];
  return Object.entries(definitions).some(([name, { option }]) => {
    if (option.risk === 'remote') return values(name).length > 0;
    return option.risk === 'address' && !areLocal(option, values(name));
  });
}

/** Without it a command would judge another cluster. */
const stateKey = 'state';

/**
 * Returns the keys of a file that do not count, after a warning; none if the user consents at a terminal. Throws CliError for a file that changed since the user trusted
 * it, and for one whose state would be missing.
 */
async function findIgnoredKeys(
  file: ConfigurationFile,
  names: readonly string[],
  surroundings: Pick<Surroundings, 'env' | 'stderr' | 'stdin'>,
): Promise<readonly string[]> {
  const untrusted = { file: file.shown, subject: file.subject(), parts: riskyParts(file) };
  if (await askForTrust(untrusted, surroundings)) return [];
  const changed = changedParts(untrusted, surroundings.env);
  const ways = waysToTrust(names);
  if (changed === undefined && !names.includes(stateKey)) {
    surroundings.stderr.write(
      `warning: ${file.shown} is not trusted: ignored ${listed(names)}; ${ways.slice(0, -1).join(', ')}, or ${ways.at(-1)}\n`,
    );
    return names;
  }
  const changes = changed?.map(part => `: ${oneLine(part)}`).join('');
  const why = changes === undefined ? `it is not trusted, and sets ${listed(names)}` : `it changed since it was trusted${changes}`;
  throw new CliError('usage', why, { location: { file: file.shown }, suggestions: ways });
}

/** Returns what in a configuration file needs consent, a line each. */
export function riskyParts({ values, known }: Pick<ConfigurationFile, 'values' | 'known'>): string[] {
  return [...values].flatMap(([name, given]) => {
    const isHarmless = known.get(name)?.isHarmless === true && isFree({ risk: 'none' }, given);
    return isHarmless ? [] : [`${name}: ${given.join(', ')}`];
  });
}

function waysToTrust(names: readonly string[]): string[] {
  return ['run "webhook-cli trust" after reading it', `set ${trustVariable}=1`, `pass the ${names.length === 1 ? 'flag' : 'flags'}`];
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')}${names.length > 1 ? ' and ' : ''}${names.at(-1)}`;
}

/** Returns the variable of a flag: `WEBHOOK_CLI_CA_FILE` for `ca-file`. */
function variableOf(name: string): string {
  return `WEBHOOK_CLI_${name.toUpperCase().replaceAll('-', '_')}`;
}

function argumentOf(
  name: string,
  value: string,
  { isSwitch, origins }: { readonly isSwitch: boolean } & Pick<Configured, 'origins'>,
): string {
  if (!isSwitch) return `--${name}=${value}`;
  if (/^(true|1|yes)$/i.test(value)) return `--${name}`;
  if (/^(false|0|no)$/i.test(value)) return '';
  throw withOrigin(new CliError('usage', `invalid default of --${name} ${JSON.stringify(value)}: expected true or false`), origins);
}
