import { BaseCommand } from '../src/cli/options/base-command.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';
import { inputOptions } from '../src/client/options/call-options.js';
import { free, onOff, path, textOption } from '../src/client/options/option.js';

const { context, kubeconfig, clusterTimeout } = inputOptions;

export default class State extends BaseCommand {
  static override summary = 'Write the objects of a cluster that affect admission as files, for --state.';

  static override description = [
    'Webhook configurations, policies and their parameters, definitions, namespaces, RBAC, limit ranges, quotas, classes, service accounts and the',
    'services of webhooks: one file an object, to commit and to use where there is no cluster. Secrets are never read. Files of objects that are gone',
    'are removed; other files in the folder stay. With --check, writes nothing, and prints what has changed in the cluster; exit code 1 when something has.',
  ].join(' ');

  static override usage = 'state -o DIR [--context NAME] [FLAGS]';

  static override examples = [
    { description: 'Write the state of a cluster', command: '<%= config.bin %> state --context staging -o cluster/' },
    { description: 'Compare it with the cluster', command: '<%= config.bin %> state --context staging -o cluster/ --check' },
    { description: 'Use it without the cluster', command: '<%= config.bin %> match --state cluster/ -f pod.yaml' },
  ];

  static override flags = flagsOfOptions({
    context: { ...context, description: 'the context of the kubeconfig; the current one by default' },
    kubeconfig: { ...kubeconfig, description: 'the kubeconfig; KUBECONFIG or ~/.kube/config by default' },
    clusterTimeout,
    outDir: { ...path, char: 'o', placeholder: 'DIR', description: 'the folder of the files' },
    check: { ...onOff, ...free, description: 'compare the cluster with the files, and write nothing' },
    namespace: {
      ...textOption,
      ...free,
      char: 'n',
      placeholder: 'NAME',
      description: 'of namespaced objects, only those of this namespace',
    },
    allNamespaces: {
      ...onOff,
      char: 'A',
      description: 'objects of all namespaces; by default of those that webhooks and policies can concern',
    },
  });

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(State);
    const { runState } = await import('../src/cli/commands/state/run-state.js');
    return runState(options, this.surroundings);
  }
}
