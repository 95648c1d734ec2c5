import { Flags } from '@oclif/core';
import { BaseCommand } from '../src/cli/base-command.js';
import type { ExitCode } from '../src/cli/exit-codes.js';
import { callFlags } from '../src/cli/flags/call-flags.js';
import { outputFlag } from '../src/cli/flags/output-flags.js';
import { webhookFlags } from '../src/cli/flags/webhook-flags.js';

export default class Match extends BaseCommand {
  static override summary = 'Print which webhooks a call would reach, in which order, and why not the others.';

  static override description =
    'A row for every webhook of the configurations in the state, called or not. Nothing is sent; every webhook is taken to allow. ' +
    '--explain adds what each selector, rule and condition asks for and what it saw; the one that decided is marked with an exclamation mark.';

  static override usage = 'match -f PATH --state PATH [FLAGS]';

  static override examples = [
    { description: 'A line of JSON a case', command: '<%= config.bin %> match --case fixtures/cases/selection.json -o json' },
    {
      description: 'Would this webhook be asked about a pod?',
      command: '<%= config.bin %> match -f fixtures/manifests/pod-sidecar.yaml --url https://example.com/ --explain',
    },
  ];

  static override flags = {
    ...callFlags,
    ...webhookFlags,
    explain: Flags.boolean({ helpGroup: 'OUTPUT', description: 'print each predicate with the value it saw' }),
    'all-operations': Flags.boolean({
      helpGroup: 'OUTPUT',
      description: 'a table of every operation and subresource of the resource, by rules alone: a dash is a hole',
    }),
    output: outputFlag(['text', 'json', 'yaml']),
  };

  async run(): Promise<ExitCode> {
    const { flags } = await this.parseWithWords(Match);
    const { runMatch } = await import('../src/cli/match/run-match.js');
    return runMatch({ ...flags, words: this.wordsBehindDashes }, this.givenFlags, this.surroundings);
  }
}
