import { CliError } from '../client/cli-error.js';
import { systemReason } from '../files/system-reason.js';
import { isTooDeep } from '../kubernetes/too-deep.js';
import type { CommandLoaders } from './dispatch.js';
import { hideSecretsInError } from './shell/error-without-secrets.js';
import type { ExitCode } from './shell/exit-codes.js';
import { asksForJson, printError } from './shell/print-error.js';
import type { Surroundings } from './shell/surroundings.js';

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
  const ran = await run().catch(async (error: unknown) => printError(await hideSecretsInError(mistakeOf(error)), asJson, surroundings));
  const exitCode = await surroundings.stdout.flush().then(
    () => ran,
    (error: unknown) => printError(writeFailed(error), false, surroundings),
  );
  // A failure cannot be reported anywhere.
  await surroundings.stderr.flush().catch(() => {});
  return exitCode;
}

/** Turns what the system or the user's input causes anywhere into a user mistake. */
function mistakeOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EMFILE' || code === 'ENFILE')
    return new CliError('unreadable-file', 'too many open files', { suggestions: ['raise the limit: ulimit -n 1024'], cause: error });
  if (!isTooDeep(error)) return error;
  return new CliError('not-there-yet', 'an object is nested too deeply to be printed', { suggestions: ['remove levels'], cause: error });
}

function writeFailed(error: unknown): CliError {
  return new CliError('write-failed', `stdout: ${systemReason(error)}`, { cause: error });
}
