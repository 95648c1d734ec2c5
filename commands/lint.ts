import { Flags } from '@oclif/core';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { callFlags, clusterFlags, configurationFlags } from '../src/cli/options/call-flags.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import { outputFlag } from '../src/cli/options/output-flags.js';
import { wordFlag } from '../src/cli/options/values.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';
import { inputOptions } from '../src/client/options/call-options.js';

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

  static override flags = {
    ...configurationFlags,
    state: flagsOfOptions({
      state: { ...inputOptions.state, group: 'INPUT', description: 'the same, without -f: usually the state of webhook-cli.yaml' },
    }).state,
    ...clusterFlags,
    'kubernetes-version': callFlags['kubernetes-version'],
    'fail-on': wordFlag({
      choices: ['error', 'warning', 'info'],
      helpValue: 'error|warning|info',
      description: 'min severity for exit code 1; error by default',
    }),
    rule: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ID=off|info|warning|error',
      description: 'severity of the findings of a rule; repeatable',
    }),
    'explain-cost': Flags.boolean({
      description: 'explain which sizes make a CEL rule too expensive, and print the limits that suffice',
    }),
    'min-kubernetes': Flags.string({
      helpValue: 'VERSION',
      description: 'oldest Kubernetes, from v1.25, in which CEL expressions must compile',
    }),
    output: outputFlag(['text', 'json', 'sarif', 'github', 'gitlab']),
  };

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(Lint);
    const { runLint } = await import('../src/cli/commands/lint/run-lint.js');
    return runLint(options, this.surroundings);
  }
}
