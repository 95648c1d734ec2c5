import { minorOfFlag } from '../cli/options/server-version.js';
import { type ExitCode, exitCodes } from '../cli/shell/exit-codes.js';
import type { Surroundings } from '../cli/shell/surroundings.js';
import { CliError } from '../client/cli-error.js';

/** Runs the program that an executable of the folder starts: `kube-apiserver VERSION [FLAGS]` or `etcd [FLAGS]`. Ends when it is terminated. */
export async function runControlPlane(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const [name = '', ...rest] = argv;
  if (name === 'kube-apiserver') {
    const [version = '', ...flags] = rest;
    const { runKubeApiserver } = await import('./run-kube-apiserver.js');
    return runKubeApiserver(flags, minorOfFlag(version), surroundings);
  }
  if (name !== 'etcd') throw new CliError('usage', `unknown program ${JSON.stringify(name)}: expected kube-apiserver or etcd`);
  const { startEtcd } = await import('./etcd/health-server.js');
  const { close } = await startEtcd(rest, surroundings.cwd, surroundings.stderr);
  return new Promise(resolve => {
    surroundings.onInterrupt(
      async () => {
        await close();
        resolve(exitCodes.allowed);
      },
      { exitCode: exitCodes.allowed },
    );
  });
}
