import { Flags } from '@oclif/core';
import { BaseCommand } from '../src/cli/base-command.js';
import type { ExitCode } from '../src/cli/exit-codes.js';
import { outputFlag } from '../src/cli/flags/output-flags.js';

export default class Convert extends BaseCommand {
  static override summary = 'Run recorded calls on custom resources, with the conversion webhooks of their definitions.';

  static override description =
    'Conversion webhooks are called where the definitions of a case say, as the API server calls them: which objects, in which version, ' +
    'and every check of the answer.';

  static override usage = 'convert --case PATH [FLAGS]';

  static override examples = [
    { description: 'A line of JSON a case', command: '<%= config.bin %> convert --case fixtures/cases/selection.json -o json' },
  ];

  static override flags = {
    case: Flags.string({
      helpGroup: 'CALL',
      helpValue: 'PATH',
      required: true,
      description: 'file of recorded cases; a line of JSON for each',
    }),
    output: outputFlag(['json']),
  };

  async run(): Promise<ExitCode> {
    const { flags } = await this.parse(Convert);
    const { printReviewCases } = await import('../src/cli/cases/print-cases.js');
    return printReviewCases(flags.case, this.surroundings);
  }
}
