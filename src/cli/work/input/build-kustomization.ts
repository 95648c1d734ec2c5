import { CliError } from '../../../client/cli-error.js';
import { systemReason } from '../../../files/system-reason.js';
import { runProgram } from '../../../processes/run-program.js';

/** Programs that build a kustomization, in the order in which they are tried. */
const builders = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
] as const;

/**
 * Builds the kustomization of a folder with the user's own kubectl or kustomize, and returns the manifests that it prints. Throws CliError
 * when neither is installed, and for the errors of the program.
 */
export async function buildKustomization(folder: string, cwd: string): Promise<Uint8Array> {
  for (const [program, subcommand] of builders) {
    const output = await runForOutput(program, [subcommand, folder], cwd);
    if (output !== undefined) return built(output, `${program} ${subcommand} ${folder}`);
  }
  throw new CliError('unreadable-file', `cannot build the kustomization ${folder}: neither kubectl nor kustomize is installed`, {
    suggestions: ['install kubectl', 'build it elsewhere and pass the manifests with -f'],
  });
}

interface Output {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly code: number | null;
}

function built({ stdout, stderr, code }: Output, command: string): Uint8Array {
  if (code === 0) return stdout;
  const last = stderr.trim().split('\n').at(-1) ?? '';
  // Without a terminal, some versions log the error as a field of klog.
  const logged = / err="((?:[^"\\]|\\.)*)"$/.exec(last)?.[1]?.replace(/\\(.)/g, '$1');
  const reason = logged ?? last.replace(/^error: /i, '');
  throw new CliError('unreadable-file', `"${command}" failed: ${reason === '' ? `exit code ${code}` : reason}`);
}

/** No kustomization is larger; files are limited, too. */
const maxOutputBytes = 256 * 1024 * 1024;

/** Runs a program; resolves with undefined when it is not installed. */
async function runForOutput(program: string, args: readonly string[], cwd: string): Promise<Output | undefined> {
  const end = await runProgram({ command: [program, ...args], cwd, maxOutputBytes });
  if (end.outcome === 'exited') return end;
  if (end.outcome !== 'not-started')
    throw new CliError('unreadable-file', `"${program} ${args.join(' ')}" failed: it printed more than 256 MiB`);
  if (end.error.code === 'ENOENT') return undefined;
  throw new CliError('unreadable-file', `cannot run ${program}: ${systemReason(end.error)}`, { cause: end.error });
}
