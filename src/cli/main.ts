import { CliError } from './cli-error.js';
import type { CommandLoaders } from './dispatch.js';
import type { ExitCode } from './exit-codes.js';
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
    const [{ dispatch }, { installApiServer }] = await Promise.all([import('./dispatch.js'), import('./install.js')]);
    installApiServer();
    return dispatch(argv, root, { surroundings, loaders });
  });
}

/** Runs something to its exit code: errors become a sentence, and what was printed has left the process. */
export async function settle(asJson: boolean, surroundings: Surroundings, run: () => Promise<ExitCode>): Promise<ExitCode> {
  const ran = await run().catch((error: unknown) => printError(error, asJson, surroundings));
  const exitCode = await surroundings.stdout.flush().then(
    () => ran,
    (error: unknown) => printError(writeFailed(error), false, surroundings),
  );
  // Nobody is left who could be told that this fails.
  await surroundings.stderr.flush().catch(() => {});
  return exitCode;
}

function writeFailed(error: unknown): CliError {
  return new CliError('write-failed', `stdout: ${systemReason(error)}`, { cause: error });
}
