import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core';
import { settle } from '../../src/cli/main.js';
import type { BaseCommand } from '../../src/cli/options/base-command.js';
import { asksForJson } from '../../src/cli/shell/print-error.js';
import type { Surroundings, Thread } from '../../src/cli/shell/surroundings.js';

/** The folder of our package.json. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** If given, stdin is a terminal with these key presses. */
  readonly keys?: string | AsyncIterable<string>;
  /** Whether stdout is a terminal. */
  readonly isTerminal?: boolean;
  /** Whether stderr is one. */
  readonly isErrorTerminal?: boolean;
  /** Width of that terminal. */
  readonly columns?: number;
  /** If given, the command can be interrupted. */
  readonly onInterrupt?: Surroundings['onInterrupt'];
  /** Called with stdout as it is written. */
  readonly onStdout?: (text: string) => void;
  /** Called with stderr as it is written. */
  readonly onStderr?: (text: string) => void;
  /** Returns a new uid; by default their number. */
  readonly uid?: () => string;
  /** If given, the command can start threads. */
  readonly startThread?: (surroundings: Surroundings) => Thread;
}

export type CommandClass = new (argv: string[], config: Config) => BaseCommand;

/** Runs a command in-process from TypeScript, with a fixed clock and fixed random numbers. */
export async function runCommand(command: CommandClass, argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' };
  const surroundings = testSurroundings(options, written);
  const config = await testConfig();
  const exitCode = await settle(asksForJson(argv, surroundings.env), surroundings, () =>
    new command([...argv], config).execute(surroundings),
  );
  return { ...written, exitCode };
}

/** Surroundings that use only the disk of the real environment. */
export function testSurroundings(options: CommandOptions, written: { stdout: string; stderr: string }): Surroundings {
  let uids = 0;
  const { startThread } = options;
  const surroundings: Surroundings = {
    stdout: {
      isTerminal: options.isTerminal ?? false,
      columns: options.columns,
      write: text => {
        written.stdout += text;
        options.onStdout?.(text);
      },
      flush: async () => {},
    },
    stderr: {
      isTerminal: options.isErrorTerminal ?? false,
      write: text => {
        written.stderr += text;
        options.onStderr?.(text);
      },
      flush: async () => {},
    },
    stdin: {
      isTerminal: options.keys !== undefined,
      read: async () => Buffer.from(options.stdin ?? ''),
      keys: async function* () {
        yield* options.keys ?? '';
      },
    },
    env: options.env ?? {},
    cwd: options.cwd ?? root,
    now: () => new Date('2026-01-02T03:04:05Z'),
    uid:
      options.uid ??
      (() => {
        uids += 1;
        return `00000000-0000-4000-8000-${String(uids).padStart(12, '0')}`;
      }),
    random: () => 0.5,
    onInterrupt: options.onInterrupt ?? (() => () => {}),
    importModule: url => import(url),
    startThread: startThread === undefined ? undefined : () => startThread(surroundings),
  };
  return surroundings;
}

let loaded: Promise<Config> | undefined;

/** oclif's configuration without the compiled commands, because the TypeScript ones are tested. */
/** The version of the manifest of commands that the build wrote: oclif warns about another one. */
const { version: packageVersion }: { readonly version: string } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

function testConfig(): Promise<Config> {
  loaded ??= Config.load({
    root,
    pjson: { name: 'webhook-cli', version: packageVersion, oclif: { bin: 'webhook-cli', topicSeparator: ' ', plugins: [] } },
  });
  return loaded;
}
