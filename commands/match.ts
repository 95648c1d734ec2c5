import { BaseCommand } from '../src/cli/base-command.js';
import { CliError } from '../src/cli/cli-error.js';
import type { ExitCode } from '../src/cli/exit-codes.js';
import { callFlags } from '../src/cli/flags/call-flags.js';
import { outputFlag } from '../src/cli/flags/output-flags.js';

export default class Match extends BaseCommand {
  static override summary = 'Print which webhooks would be called for recorded cases.';

  static override examples = [
    { description: 'A line of JSON a case', command: '<%= config.bin %> match --case fixtures/cases/selection.json -o json' },
  ];

  static override flags = { case: callFlags.case, output: outputFlag(['json']) };

  async run(): Promise<ExitCode> {
    const { flags } = await this.parse(Match);
    if (flags.case === undefined)
      throw new CliError('not-there-yet', 'match takes recorded cases only, so far', { suggestions: ['pass --case FILE'] });
    const { printCases } = await import('../src/cli/cases/print-cases.js');
    return printCases('match', flags.case, this.surroundings);
  }
}
