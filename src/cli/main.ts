import { CliError } from '../client/cli-error.js';
import type { CommandLoaders } from './dispatch.js';
import type { ExitCode } from './exit-codes.js';
import { asksForJson, printError } from './print-error.js';
import type { Surroundings } from './surroundings.js';
import { systemReason } from './system-reason.js';

/** Runs the command of the arguments and returns the exit code. `root` is the folder of our package.json. Never rejects. */
export async function main(
  argv: readonly string[],
  root: string,
  surroundings: Surroundings,
  loaders: CommandLoaders = {},
): Promise<ExitCode> {
  return settle(asksForJson(argv, surroundings.env), surroundings, async () => {
    const { dispatch } = await import('./dispatch.js');
    return dispatch(argv, root, { surroundings, loaders });
  });
}

/** Runs an action and returns its exit code; prints errors, and flushes the streams. */
export async function settle(asJson: boolean, surroundings: Surroundings, run: () => Promise<ExitCode>): Promise<ExitCode> {
  const ran = await run().catch((error: unknown) => printError(error, asJson, surroundings));
  const exitCode = await surroundings.stdout.flush().then(
    () => ran,
    (error: unknown) => printError(writeFailed(error), false, surroundings),
  );
  // A failure cannot be reported anywhere.
  await surroundings.stderr.flush().catch(() => {});
  return exitCode;
}

function writeFailed(error: unknown): CliError {
  return new CliError('write-failed', `stdout: ${systemReason(error)}`, { cause: error });
}
