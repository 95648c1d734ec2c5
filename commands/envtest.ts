import { BaseCommand } from '../src/cli/options/base-command.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import { outputOption } from '../src/cli/options/output-options.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';
import { serverFlagOptions } from '../src/client/options/call-options.js';

export default class Envtest extends BaseCommand {
  static override summary = 'Print a folder with kube-apiserver, etcd and kubectl for envtest, backed by the in-memory API server.';

  static override description =
    'For KUBEBUILDER_ASSETS of controller-runtime, and for other test environments that start a control plane: nothing is downloaded, and the API server ' +
    'starts within a fraction of a second. The folder is kept in the cache of the user. kubectl is the one in PATH.';

  static override examples = [
    { description: 'In a shell or a Makefile, as KUBEBUILDER_ASSETS=$(webhook-cli envtest)', command: '<%= config.bin %> envtest' },
    { description: 'For eval in a shell', command: '<%= config.bin %> envtest -o env' },
  ];

  static override flags = flagsOfOptions({ kubernetesVersion: serverFlagOptions.kubernetesVersion, output: outputOption(['text', 'env']) });

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(Envtest);
    const { runEnvtest } = await import('../src/envtest/run-envtest.js');
    const { execPath, platform } = process;
    const installation = { root: this.config.options.root, execPath, platform, version: this.toolVersion, uid: process.getuid?.() };
    return runEnvtest(options, installation, this.surroundings);
  }
}
