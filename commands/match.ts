import { BaseCommand } from '../src/cli/options/base-command.js';
import { callFlags } from '../src/cli/options/call-flags.js';
import { callJobs } from '../src/cli/options/jobs-option.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import { openOption, outputOption } from '../src/cli/options/output-options.js';
import { unsentWebhookFlags } from '../src/cli/options/webhook-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';
import { free, onOff } from '../src/client/options/option.js';

const output = { group: 'OUTPUT' } as const;

export default class Match extends BaseCommand {
  static override summary = 'Print which webhooks a call would reach, in order, and why others are skipped.';

  static override description =
    'Prints a row for every webhook and policy in the state, called or skipped; many without a matching rule are one line. Sends nothing, and ' +
    'assumes that every webhook allows. ' +
    '--explain adds each selector, rule and condition with the value it saw; an exclamation mark marks the one that decided.';

  static override usage = 'match -f PATH --state PATH [FLAGS]';

  static override examples = [
    {
      description: 'Which webhooks of these configurations would be called for a pod, and why not the others?',
      command: '<%= config.bin %> match -f pod.yaml --state cluster/ --explain',
    },
    { description: 'For which operations?', command: '<%= config.bin %> match -f pod.yaml --state webhooks.yaml --all-operations' },
    { description: 'One line of JSON per case', command: '<%= config.bin %> match --case cases.json -o json' },
  ];

  static override flags = {
    ...callFlags,
    ...unsentWebhookFlags,
    ...flagsOfOptions({
      ...callJobs,
      explain: { ...onOff, ...output, ...free, description: 'print each predicate with the value it saw' },
      all: { ...onOff, ...output, ...free, description: 'list every webhook and policy without a matching rule, also if there are many' },
      allOperations: {
        ...onOff,
        ...output,
        ...free,
        description: 'a table of every operation and subresource of the resource, by rules only; a dash: no webhook',
      },
      output: outputOption(['text', 'json', 'yaml', 'html']),
      open: openOption,
    }),
  };

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptionsAndWords(Match);
    const { runMatch } = await import('../src/cli/commands/match/run-match.js');
    return runMatch(
      { ...options, words: this.wordsBehindDashes, toolVersion: () => this.toolVersion },
      this.givenOptions,
      this.surroundings,
    );
  }
}
