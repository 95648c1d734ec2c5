import { Config } from '@oclif/core';
import { normalizeArgv } from '@oclif/core/help';
import { CliError } from '../client/cli-error.js';
import { nearest } from '../client/nearest.js';
import { ownMember } from '../go/own-members.js';
import { defaultMinor, kubernetesMinors, previewNote, releaseOf } from '../kubernetes/kubernetes-version.js';
import { BaseCommand } from './options/base-command.js';
import { type ExitCode, exitCodes } from './shell/exit-codes.js';
import { loadConfig } from './shell/load-config.js';
import { asksForJson } from './shell/print-error.js';
import type { Surroundings } from './shell/surroundings.js';

/** Loads commands, by id; oclif finds the modules of other commands. */
export type CommandLoaders = Readonly<Record<string, () => Promise<{ readonly default: unknown }>>>;

/** Context of a command. */
export interface Running {
  readonly surroundings: Surroundings;
  readonly loaders: CommandLoaders;
}

/** Runs the command of the arguments, or prints help; rejects with what the command throws. */
export async function dispatch(argv: readonly string[], root: string, running: Running): Promise<ExitCode> {
  const config = new Config({ root });
  const known = asksForHelp(argv) ? undefined : knownCommand(argv, running.loaders);
  // A known command needs no list of all commands; it loads the list itself where it does.
  if (known !== undefined) return runLoaded((await known.load()).default, { argv: known.rest, config }, running.surroundings);
  await loadConfig(config);
  if (asksForVersion(argv)) return printVersion(argv, config, running.surroundings);
  if (asksForHelp(argv)) return printHelp(argv, config, running.surroundings);
  return runCommand(argv, config, running);
}

interface KnownCommand {
  readonly load: () => Promise<{ readonly default: unknown }>;
  /** Arguments after the command. */
  readonly rest: readonly string[];
}

/** Returns the command named by the first one or two arguments; undefined: ask oclif. */
function knownCommand(argv: readonly string[], loaders: CommandLoaders): KnownCommand | undefined {
  for (const count of [2, 1]) {
    const load = ownMember(loaders, argv.slice(0, count).join(':'));
    if (load !== undefined && argv.length >= count) return { load, rest: argv.slice(count) };
  }
  return undefined;
}

async function runCommand(argv: readonly string[], config: Config, { surroundings, loaders }: Running): Promise<ExitCode> {
  const [id = '', ...rest] = normalizeArgv(config, [...argv]);
  const found = config.findCommand(id);
  if (found === undefined) {
    if (config.findTopic(id) !== undefined) return printHelp([...argv], config, surroundings);
    throw unknownCommand(id.replaceAll(':', ' '), config);
  }
  const loaded: unknown = (await ownMember(loaders, found.id)?.())?.default ?? (await found.load());
  return runLoaded(loaded, { argv: rest, config }, surroundings);
}

interface Arguments {
  readonly argv: readonly string[];
  readonly config: Config;
}

function runLoaded(loaded: unknown, { argv, config }: Arguments, surroundings: Surroundings): Promise<ExitCode> {
  if (!isCommandClass(loaded)) throw new Error('a file of commands/ exports no BaseCommand');
  return new loaded([...argv], config).execute(surroundings);
}

function isCommandClass(loaded: unknown): loaded is new (argv: string[], config: Config) => BaseCommand {
  return typeof loaded === 'function' && loaded.prototype instanceof BaseCommand;
}

function unknownCommand(name: string, config: Config): CliError {
  const known = config.commandIDs.map(id => id.replaceAll(':', ' '));
  const meant = nearest(name, known);
  return new CliError('usage', `unknown command "${name}"`, {
    suggestions: [meant === undefined ? 'see webhook-cli --help' : `did you mean "${meant}"?`],
  });
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const beforeDashes = end < 0 ? argv : argv.slice(0, end);
  return beforeDashes.length === 0 || beforeDashes[0] === 'help' || beforeDashes.includes('--help') || beforeDashes.includes('-h');
}

async function printHelp(argv: readonly string[], config: Config, surroundings: Surroundings): Promise<ExitCode> {
  if (asksForStart(argv)) {
    const { startHelp } = await import('./shell/short-help.js');
    surroundings.stdout.write(startHelp());
    return exitCodes.allowed;
  }
  const subject = argv.filter((word, i) => !(i === 0 && word === 'help'));
  const named = subject.filter(word => !word.startsWith('-'));
  const [id = ''] = named.length === 0 ? [] : normalizeArgv(config, [...named]);
  if (id !== '' && config.findCommand(id) === undefined && config.findTopic(id) === undefined) {
    throw unknownCommand(id.replaceAll(':', ' '), config);
  }
  const command = id !== '' && !argv.includes('--help') && argv[0] !== 'help' ? config.findCommand(id) : undefined;
  if (command !== undefined) {
    const { shortHelp } = await import('./shell/short-help.js');
    surroundings.stdout.write(shortHelp(config, command));
    return exitCodes.allowed;
  }
  const { PrintedHelp } = await import('./shell/printed-help.js');
  await new PrintedHelp(config, surroundings).showHelp([...subject]);
  return exitCodes.allowed;
}

/** Without a command, only `--help` and `help` list all of them. */
function asksForStart(argv: readonly string[]): boolean {
  return argv.length === 0 || (argv.length === 1 && argv[0] === '-h');
}

function asksForVersion([first, second, ...rest]: readonly string[]): boolean {
  if (first === '--version' || first === '-v') return true;
  return first === 'version' && (second === undefined || (second.startsWith('-') && rest.length < 2));
}

/** Prints our version; in JSON also the releases of Kubernetes whose API servers are reproduced. */
function printVersion(argv: readonly string[], { userAgent, version }: Config, { env, stdout }: Surroundings): ExitCode {
  stdout.write(`${asksForJson(argv, env) ? JSON.stringify(versionDocument(version)) : userAgent}\n`);
  return exitCodes.allowed;
}

function versionDocument(version: string): object {
  const kubernetes = kubernetesMinors.map(minor => ({
    minor,
    release: releaseOf(minor),
    default: minor === defaultMinor,
    ...(previewNote(minor) === undefined ? {} : { preview: true }),
  }));
  return { apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'Version', version, kubernetes };
}
