import { Config, Help } from '@oclif/core';
import { normalizeArgv } from '@oclif/core/help';
import { BaseCommand } from './base-command.js';
import { CliError } from './cli-error.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { nearest } from './nearest.js';
import type { Surroundings } from './surroundings.js';

/** How commands are loaded, by id; oclif finds the modules of those not named here. */
export type CommandLoaders = Readonly<Record<string, () => Promise<{ readonly default: unknown }>>>;

/** What a command runs with. */
export interface Running {
  readonly surroundings: Surroundings;
  readonly loaders: CommandLoaders;
}

/** Runs the command that the arguments name, or prints the help they ask for; rejects with what the command throws. */
export async function dispatch(argv: readonly string[], root: string, running: Running): Promise<ExitCode> {
  const config = await Config.load({ root });
  if (argv[0] === '--version') return printVersion(config, running.surroundings);
  if (asksForHelp(argv)) return printHelp(argv, config, running.surroundings);
  return runCommand(argv, config, running);
}

async function runCommand(argv: readonly string[], config: Config, { surroundings, loaders }: Running): Promise<ExitCode> {
  const [id = '', ...rest] = normalizeArgv(config, [...argv]);
  const found = config.findCommand(id);
  if (found === undefined) {
    if (config.findTopic(id) !== undefined) return printHelp([...argv], config, surroundings);
    throw unknownCommand(id.replaceAll(':', ' '), config);
  }
  const loaded: unknown = (await loaders[found.id]?.())?.default ?? (await found.load());
  if (!isCommandClass(loaded)) throw new Error(`the command ${id} is no BaseCommand`);
  return new loaded(rest, config).execute(surroundings);
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
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.length === 0 || words[0] === 'help' || words.includes('--help') || words.includes('-h');
}

async function printHelp(argv: readonly string[], config: Config, surroundings: Surroundings): Promise<ExitCode> {
  const subject = argv.filter((word, i) => !(i === 0 && word === 'help'));
  const named = subject.filter(word => !word.startsWith('-'));
  const [id = ''] = named.length === 0 ? [] : normalizeArgv(config, [...named]);
  if (id !== '' && config.findCommand(id) === undefined && config.findTopic(id) === undefined) {
    throw unknownCommand(id.replaceAll(':', ' '), config);
  }
  await new PrintedHelp(config, surroundings).showHelp([...subject]);
  return exitCodes.allowed;
}

function printVersion(config: Config, surroundings: Surroundings): ExitCode {
  surroundings.stdout.write(`${config.userAgent}\n`);
  return exitCodes.allowed;
}

/** oclif's help on our streams. */
class PrintedHelp extends Help {
  private readonly surroundings: Surroundings;

  constructor(config: Config, surroundings: Surroundings) {
    super(config, { stripAnsi: true });
    this.surroundings = surroundings;
  }

  protected override log(...words: string[]): void {
    this.surroundings.stdout.write(`${words.join(' ')}\n`);
  }
}
