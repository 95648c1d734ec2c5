import { apiserverOptions } from '../src/cli/commands/apiserver/apiserver-options.js';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

export default class Apiserver extends BaseCommand {
  static override summary = 'Run an in-memory API server for kubectl, client-go and webhooks under test.';

  static override description =
    'Responds as kube-apiserver does, with the same admission. Objects are kept in memory only. As in envtest, no controllers run. ' +
    'Prints its URL when it is ready, and writes a kubeconfig. With a command after --, runs it with KUBECONFIG set and exits with its exit code.';

  static override examples = [
    { description: 'For kubectl in another terminal', command: '<%= config.bin %> apiserver --kubeconfig kubeconfig' },
    { description: 'For tests of a controller', command: '<%= config.bin %> apiserver --state cluster/ -- go test ./...' },
    {
      description: 'With webhook configurations whose service is listening here',
      command: '<%= config.bin %> apiserver --state webhooks.yaml --service shop/webhook=https://127.0.0.1:8443',
    },
  ];

  static override flags = flagsOfOptions(apiserverOptions);

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptionsAndWords(Apiserver);
    const { runApiserver } = await import('../src/cli/commands/apiserver/run-apiserver.js');
    return runApiserver({ ...options, toolVersion: () => this.toolVersion }, this.wordsBehindDashes, this.surroundings);
  }
}
