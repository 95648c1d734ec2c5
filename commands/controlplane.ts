import { BaseCommand } from '../src/cli/options/base-command.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

/** Called by the executables of `envtest`: `controlplane kube-apiserver v1.36 [FLAGS]`, `controlplane etcd [FLAGS]`. */
export default class ControlPlane extends BaseCommand {
  static override hidden = true;
  static override summary = 'Run the kube-apiserver or etcd of the folder that envtest prints.';
  static override strict = false;

  /** The flags are those of kube-apiserver, which oclif cannot parse; configuration files do not apply to them. */
  async run(): Promise<ExitCode> {
    const { runControlPlane } = await import('../src/envtest/run-control-plane.js');
    return runControlPlane(this.argv, this.surroundings);
  }
}
