import { injectOptions } from '../../src/cli/commands/certs/certificate-options.js';
import { BaseCommand } from '../../src/cli/options/base-command.js';
import { flagsOfOptions } from '../../src/cli/options/option-flags.js';
import type { ExitCode } from '../../src/cli/shell/exit-codes.js';

/** Writes caBundles into manifests and changes nothing else. */
export default class CertsInject extends BaseCommand {
  static override summary = 'Write the caBundle into webhook configurations, CRD conversions and APIServices.';

  static override description = [
    'Everything else is unchanged: comments, order, quotes, line endings, other documents. The result goes to stdout; with',
    "--in-place, each file is replaced atomically. Effects of cert-manager's annotations on a caBundle are reported on",
    'stderr.',
  ].join(' ');

  static override examples = [
    { description: 'Into a configuration', command: '<%= config.bin %> certs inject -f webhooks.yaml --in-place' },
    {
      description: 'In a pipe to kubectl',
      command: 'kustomize build config | <%= config.bin %> certs inject -f - | kubectl apply -f -',
    },
  ];

  static override flags = flagsOfOptions(injectOptions);

  override async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(CertsInject);
    const { runInject } = await import('../../src/cli/commands/certs/run-inject.js');
    return runInject(options, this.surroundings);
  }
}
