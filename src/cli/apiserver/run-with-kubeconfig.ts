import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { CliError } from '../../client/cli-error.js';
import type { ExitCode } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';

/** The server that a command runs against. */
export interface CommandServer {
  /** The kubeconfig. */
  readonly file: string;
  readonly end: () => Promise<ExitCode>;
}

/** Runs a command with KUBECONFIG set and ends with its exit code, as a shell would. */
export async function runWithKubeconfig(
  words: readonly string[],
  { file, end }: CommandServer,
  { env, cwd, onInterrupt }: Surroundings,
): Promise<ExitCode> {
  const [command = '', ...rest] = words;
  const child = spawn(command, rest, { cwd, env: { ...env, KUBECONFIG: file }, stdio: 'inherit' });
  const forget = onInterrupt(async () => {
    child.kill('SIGTERM');
    await end();
  });
  try {
    return await new Promise<ExitCode>((resolve, reject) => {
      child.once('error', error =>
        reject(new CliError('usage', `cannot run ${JSON.stringify(command)}: ${error.message}`, { cause: error })),
      );
      child.once('exit', (code, signal) => resolve((code ?? 128 + (signal === null ? 0 : constants.signals[signal])) as ExitCode));
    });
  } finally {
    forget();
    await end();
  }
}
