import { readFileSync } from 'node:fs';
import { release } from 'node:os';
import path from 'node:path';
import { CliError } from './cli-error.js';
import type { CommandLoaders } from './dispatch.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { asksForJson, printError } from './print-error.js';
import type { Surroundings } from './surroundings.js';
import { systemReason } from './system-reason.js';

/** Runs the command that the arguments name and answers the exit code. `root` is the folder of our package.json. Never rejects. */
export async function main(
  argv: readonly string[],
  root: string,
  surroundings: Surroundings,
  loaders: CommandLoaders = {},
): Promise<ExitCode> {
  return settle(asksForJson(argv, surroundings.env), surroundings, async () => {
    if (argv[0] === '--version' && !isWindowsSubsystem()) return printVersion(root, surroundings);
    const { dispatch } = await import('./dispatch.js');
    return dispatch(argv, root, { surroundings, loaders });
  });
}

/** Runs something to its exit code: errors become a sentence, and what was printed has left the process. */
export async function settle(asJson: boolean, surroundings: Surroundings, run: () => Promise<ExitCode>): Promise<ExitCode> {
  const exitCode = await run().catch((error: unknown) => printError(error, asJson, surroundings));
  try {
    await surroundings.stdout.flush();
    return exitCode;
  } catch (error) {
    return printError(writeFailed(error), false, surroundings);
  }
}

function writeFailed(error: unknown): CliError {
  return new CliError('write-failed', `stdout: ${systemReason(error)}`, { cause: error });
}

/** oclif gives the platform a name of its own there. */
function isWindowsSubsystem(): boolean {
  return process.platform === 'linux' && /microsoft/i.test(release());
}

/** In oclif's words, without waiting for oclif. */
function printVersion(root: string, surroundings: Surroundings): ExitCode {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { name: string; version: string };
  surroundings.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
  return exitCodes.allowed;
}
