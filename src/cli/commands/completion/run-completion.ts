import type { Command } from '@oclif/core';
import { CliError } from '../../../client/cli-error.js';
import { readKubeconfig } from '../../../cluster/kubeconfig/read-kubeconfig.js';
import { ownMember } from '../../../go/own-members.js';
import { oneLine } from '../../../writers/printable.js';
import { powershellText, shellWord } from '../../../writers/shell.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { bashScript } from './bash.js';
import { type CompletedCommand, completedCommands } from './completed-commands.js';
import { fishScript } from './fish.js';
import { powershellScript } from './powershell.js';
import { zshScript } from './zsh.js';

export interface CompletionCommand {
  readonly shell: string;
  /** `contexts`: prints these values instead of a script. */
  readonly values: string | undefined;
  /** oclif's list. */
  readonly commands: readonly Command.Loadable[];
  /** Descriptions of topics by name. */
  readonly topics: ReadonlyMap<string, string>;
}

/** Prints the script of a shell, or values that are only known at completion time, one per line, without those that a terminal would obey. */
export function runCompletion({ shell, values, commands, topics }: CompletionCommand, surroundings: Surroundings): ExitCode {
  if (values !== undefined) {
    surroundings.stdout.write(
      kubeconfigContexts(surroundings)
        .filter(name => oneLine(name) === name)
        .map(name => `${insertedBy(shell, name)}\n`)
        .join(''),
    );
    return exitCodes.allowed;
  }
  const script = ownMember(scripts, shell);
  if (script === undefined) throw new Error(`no script for ${shell}`);
  surroundings.stdout.write(script(completedCommands(commands, topics)));
  return exitCodes.allowed;
}

const scripts: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** Returns a word as a shell inserts it into the command line: zsh and fish quote it themselves. */
function insertedBy(shell: string, word: string): string {
  if (shell === 'bash') return shellWord(word);
  return shell === 'powershell' && shellWord(word) !== word ? powershellText(word) : word;
}

/** Returns the names of the contexts in the kubeconfig; none if it cannot be read, since a shell cannot show errors. */
function kubeconfigContexts({ env, cwd }: Pick<Surroundings, 'env' | 'cwd'>): string[] {
  try {
    return [...readKubeconfig({ given: undefined, env, cwd }).contexts.keys()].sort();
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}
