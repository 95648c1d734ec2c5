import { lintOptions } from '../src/cli/commands/lint/lint-options.js';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

export default class Lint extends BaseCommand {
  static override summary = 'Find errors and risks in webhook configurations and definitions.';

  static override description =
    'Errors are those of the API server itself. Every finding has the stable id of its rule, why it matters and what to do. Selectors are matched against Namespaces among the manifests.';

  static override usage = 'lint [-f PATH] [--context NAME] [FLAGS]';

  static override examples = [
    { description: 'Check a configuration', command: '<%= config.bin %> lint -f webhooks.yaml' },
    { description: 'Explain CEL rules that are too expensive', command: '<%= config.bin %> lint -f definition.yaml --explain-cost' },
    { description: 'Check those of a cluster', command: '<%= config.bin %> lint --context staging' },
  ];

  static override flags = flagsOfOptions(lintOptions);

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(Lint);
    const { runLint } = await import('../src/cli/commands/lint/run-lint.js');
    return runLint(options, this.surroundings);
  }
}
