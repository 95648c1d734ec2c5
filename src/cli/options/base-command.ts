import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command, type Interfaces } from '@oclif/core';
import { parse } from '@oclif/core/parser';
import { CliError } from '../../client/cli-error.js';
import { nearest } from '../../client/nearest.js';
import { free, onOff } from '../../client/options/option.js';
import { ownMember } from '../../go/own-members.js';
import { visible } from '../../writers/printable.js';
import type { ExitCode } from '../shell/exit-codes.js';
import { loadConfig } from '../shell/load-config.js';
import type { OutputStream, Surroundings } from '../shell/surroundings.js';
import { type Configured, readConfiguredArguments, withOrigin } from './configuration.js';
import { type FlagDefinitions, givenFlags } from './given-flags.js';
import { type KnownFlags, knownFlagsOf, type ListedFlags } from './known-flags.js';
import { withKustomizations } from './kustomize-option.js';
import { flagsOfOptions } from './option-flags.js';
import { type OptionsOf, optionOf, optionsOf } from './options-of-flags.js';

/** A command's class: the definitions of its flags and arguments. */
interface CommandDefinition<D extends object, A extends Interfaces.OutputArgs<Interfaces.ArgInput>> {
  readonly flags?: D;
  readonly args?: Interfaces.ArgInput<A>;
}

/** The command line of a command. */
interface CommandLine<D extends object, A extends Interfaces.OutputArgs<Interfaces.ArgInput>> {
  readonly options: OptionsOf<D & typeof BaseCommand.baseFlags>;
  readonly args: A;
  /** Arguments as they were given. */
  readonly argv: readonly unknown[];
}

/**
 * Base of all commands. A command implements `run`: it parses its flags, prints through `surroundings` and returns the exit
 * code. It throws CliError for user mistakes; any other exception is a bug.
 */
export abstract class BaseCommand extends Command {
  static override baseFlags = flagsOfOptions({
    noColor: { ...onOff, ...free, group: 'GLOBAL', description: 'print without colors, like NO_COLOR' },
  });

  private handedIn: Surroundings | undefined;
  private onCommandLine: ReadonlySet<string> = new Set();

  private origins: Configured['origins'] = new Map();
  private behindDashes: readonly string[] = [];
  private takesWords = false;

  abstract override run(): Promise<ExitCode>;

  /** Whether variables and `webhook-cli.yaml` give defaults for flags. */
  protected get takesDefaults(): boolean {
    return true;
  }

  /** Streams, environment, clock and randomness. A command uses these, never those of the process. */
  protected get surroundings(): Surroundings {
    if (this.handedIn === undefined) throw new Error('a command runs through execute()');
    return this.handedIn;
  }

  /** Options on the command line, without those of a configuration file. */
  protected get givenOptions(): ReadonlySet<string> {
    return this.onCommandLine;
  }

  /** Version of this program. oclif's `config.version` is empty: its configuration is not loaded to run a command. */
  protected get toolVersion(): string {
    return this.#manifest.version;
  }

  /** Address of the project, as package.json names it. */
  protected get homepage(): string | undefined {
    return this.#manifest.homepage;
  }

  get #manifest(): { readonly version: string; readonly homepage?: string } {
    return JSON.parse(readFileSync(path.join(this.config.options.root, 'package.json'), 'utf8'));
  }

  /** Arguments after `--` on the command line. */
  protected get wordsBehindDashes(): readonly string[] {
    return this.behindDashes;
  }

  /** Runs the command; rejects with what it throws. Bypasses oclif's `_run`, which prints errors and sets exit codes itself. */
  async execute(surroundings: Surroundings): Promise<ExitCode> {
    this.handedIn = withGuardedStreams(surroundings);
    try {
      return await this.run();
    } catch (error) {
      throw error instanceof CliError ? withOrigin(error, this.origins) : error;
    }
  }

  /** Parses the flags into options, as `readOptions`, up to `--`, and keeps the arguments after it. */
  protected async readOptionsAndWords<D extends object, A extends Interfaces.OutputArgs<Interfaces.ArgInput>>(
    command: CommandDefinition<D, A>,
  ): Promise<CommandLine<D, A>> {
    this.takesWords = true;
    const at = this.argv.indexOf('--');
    if (at < 0) return this.readOptions(command);
    this.behindDashes = this.argv.slice(at + 1);
    return this.readOptions(command, this.argv.slice(0, at));
  }

  /** Parses the flags and arguments; defaults come from the variables `WEBHOOK_CLI_*`, then from `webhook-cli.yaml`. Throws CliError. */
  protected async readOptions<D extends object, A extends Interfaces.OutputArgs<Interfaces.ArgInput>>(
    command: CommandDefinition<D, A>,
    given = this.argv,
  ): Promise<CommandLine<D, A>> {
    // oclif's type has members that are optional, but not undefined.
    const { flags, args, argv } = await this.parse(command as Interfaces.Input<object, object, A>, given);
    return { options: optionsOf<D & typeof BaseCommand.baseFlags>(definitionsOf(command), flags), args, argv };
  }

  /**
   * Calls oclif's parser directly: Command.parse runs hooks of plugins, of which we have none, and loads the list of all commands for
   * them.
   */
  protected override async parse<
    F extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    B extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    A extends Interfaces.OutputArgs<Interfaces.ArgInput>,
  >(
    options: Interfaces.Input<F, B, A> = this.ctor as Interfaces.Input<F, B, A>,
    argv = this.argv,
  ): Promise<Interfaces.ParserOutput<F, B, A>> {
    const definitions = definitionsOf(options);
    this.onCommandLine = new Set([...givenFlags(argv, definitions)].map(name => optionOf(name, definitions)));
    try {
      const listKnownFlags = (): Promise<KnownFlags> => this.listKnownFlags();
      const none: Configured = { argv: [], origins: new Map() };
      const defaults = this.takesDefaults
        ? await readConfiguredArguments(argv, { definitions, known: listKnownFlags }, this.surroundings)
        : none;
      this.origins = defaults.origins;
      const flags = definitions as unknown as Interfaces.FlagInput<F>;
      const output = await parse([...defaults.argv.filter(word => word !== ''), ...argv], { ...options, flags, context: this });
      return { ...output, flags: withKustomizations(output.flags) };
    } catch (error) {
      throw usageErrorFrom(
        error,
        Object.keys(definitions).map(name => `--${name}`),
        this.takesWords,
      );
    }
  }

  /** Loads oclif's list of commands, which is needed only with a configuration file. */
  protected async listKnownFlags(): Promise<KnownFlags> {
    if (this.config.commands.length === 0) await loadConfig(this.config);
    // Our build adds to oclif's list what the table of options says.
    return knownFlagsOf(this.config.commands.map(({ flags }) => flags as ListedFlags));
  }

  /** Returns the flags of all commands; one name for each command that has it. */
  protected async listDescribedFlags(): Promise<readonly DescribedFlag[]> {
    if (this.config.commands.length === 0) await loadConfig(this.config);
    return this.config.commands.flatMap(command =>
      Object.entries(command.flags).map(([name, flag]) => ({
        name,
        description: flag.summary ?? flag.description,
        isSwitch: flag.type === 'boolean',
        isList: flag.type === 'option' && flag.multiple === true,
        choices: flag.type === 'option' ? flag.options : undefined,
      })),
    );
  }
}

/** A flag of some command, as the list of commands describes it. */
export interface DescribedFlag {
  readonly name: string;
  readonly description: string | undefined;
  readonly isSwitch: boolean;
  readonly isList: boolean;
  readonly choices: readonly string[] | undefined;
}

function definitionsOf({ flags, baseFlags }: { readonly flags?: object; readonly baseFlags?: object }): FlagDefinitions {
  return { ...flags, ...baseFlags };
}

/** Reduces oclif's message of several lines and a stack to one sentence. */
function usageErrorFrom(error: unknown, flags: readonly string[], takesWords: boolean): unknown {
  if (error instanceof CliError) return withOwnWords(error);
  if (!(error instanceof Error) || !('oclif' in error)) return error;
  const unknown = 'flags' in error && Array.isArray(error.flags) ? error.flags.map(String) : [];
  if (unknown.length > 0) return unknownFlags(unknown, flags);
  if (error.message.startsWith('Missing ') && 'args' in error && Array.isArray(error.args)) return missingArgument(error.args[0], error);
  const sentence = error.message
    .split('\n')
    .filter(line => line !== 'See more help with --help' && !/^The following errors? occurred:/.test(line))
    .map(line => line.trim())
    .join(' ');
  return new CliError('usage', sentence.charAt(0).toLowerCase() + sentence.slice(1), {
    suggestions: [
      (flags.includes('--filename') ? adviceForWord(sentence) : takesWords ? adviceForCommand(sentence) : undefined) ?? 'see --help',
    ],
    cause: error,
  });
}

/** Removes the text that oclif puts around the message of a flag's parser. */
function withOwnWords(error: CliError): CliError {
  const own = /^Parsing --\S+ \n\t([\s\S]*)\nSee more help with --help$/.exec(error.message)?.[1];
  return own === undefined ? error : new CliError(error.code, own, { ...error, cause: error });
}

/** oclif's sentence lists arguments as a table, and explains how flags take values. */
function missingArgument({ description = '' }: { readonly description?: string }, cause: Error): CliError {
  return new CliError('usage', `missing argument: ${description}`, { suggestions: ['see --help'], cause });
}

function unknownFlags(unknown: readonly string[], flags: readonly string[]): CliError {
  const meant = nearest(unknown[0] ?? '', flags);
  return new CliError('usage', `unknown flag${unknown.length === 1 ? '' : 's'} ${unknown.join(', ')}`, {
    suggestions: [insteadOfKubectlFlag(unknown[0] ?? '') ?? (meant === undefined ? 'see --help' : `did you mean ${meant}?`)],
  });
}

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
function insteadOfKubectlFlag(flag: string): string | undefined {
  const name = flag.split('=', 1)[0] ?? '';
  return ownMember(instead, name) ?? ownMember(instead, /^-[a-zA-Z]/.exec(name)?.[0] ?? '');
}

/** Returns a suggestion for an argument that is not a flag: users of kubectl may pass a file or a kubectl verb. */
function adviceForWord(message: string): string | undefined {
  const word = /^Unexpected argument: (\S+)/i.exec(message)?.[1];
  return word === undefined ? undefined : `pass files with -f: -f ${word}`;
}

/** Returns a suggestion for a command to run that was given without the `--` before it. */
function adviceForCommand(message: string): string | undefined {
  const word = /^Unexpected arguments?: ([^\s,]+)/i.exec(message)?.[1];
  return word === undefined ? undefined : `put -- before the command to run: -- ${word}`;
}

/** Our own sequences: colors, and the line of the progress. */
const ownSequence = /(\u001b\[[0-9;]*m|\r\u001b\[2K)/;

/**
 * Returns surroundings whose streams show nothing unprintable on a terminal, whatever a format contains. Output into a file or a pipe is unchanged, to the byte.
 */
export function withGuardedStreams(surroundings: Surroundings): Surroundings {
  return { ...surroundings, stdout: guarded(surroundings.stdout), stderr: guarded(surroundings.stderr) };
}

function guarded(stream: OutputStream): OutputStream {
  return {
    get isTerminal() {
      return stream.isTerminal;
    },
    get columns() {
      return stream.columns;
    },
    write: text => stream.write(stream.isTerminal ? shown(text) : text),
    flush: () => stream.flush(),
  };
}

function shown(text: string): string {
  return text
    .split(ownSequence)
    .map((part, i) => (i % 2 === 1 ? part : visible(part)))
    .join('');
}
