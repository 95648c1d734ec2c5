import { Flags } from '@oclif/core';
import { BaseCommand } from '../src/cli/base-command.js';
import type { ExitCode } from '../src/cli/exit-codes.js';
import { callFlags } from '../src/cli/flags/call-flags.js';
import { outputFlag } from '../src/cli/flags/output-flags.js';
import { wordFlag } from '../src/cli/flags/values.js';

export default class Lint extends BaseCommand {
  static override summary = 'Print what the API server refuses in webhook configurations and definitions, and what hurts in production.';

  static override description =
    'Every finding has the id of its rule, which never changes, why it matters and what to do. Namespaces among the manifests tell what selectors select.';

  static override usage = 'lint -f PATH [FLAGS]';

  static override examples = [
    { description: 'Look at a configuration', command: '<%= config.bin %> lint -f fixtures/lint/intercepts-kube-system.good.yaml' },
  ];

  static override flags = {
    filename: callFlags.filename,
    recursive: callFlags.recursive,
    case: callFlags.case,
    'kubernetes-version': callFlags['kubernetes-version'],
    'fail-on': wordFlag({
      words: ['error', 'warning', 'info'],
      helpValue: 'error|warning|info',
      description: 'exit 1 from this severity on; error by default',
    }),
    rule: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ID=off|info|warning|error',
      description: 'how grave the findings of a rule are',
    }),
    output: outputFlag(['text', 'json', 'sarif', 'github']),
  };

  async run(): Promise<ExitCode> {
    const { flags } = await this.parse(Lint);
    const { runLint } = await import('../src/cli/lint/run-lint.js');
    return runLint(flags, this.surroundings);
  }
}
