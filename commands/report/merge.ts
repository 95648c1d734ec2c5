import { Args } from '@oclif/core';
import { BaseCommand } from '../../src/cli/options/base-command.js';
import { flagsOfOptions } from '../../src/cli/options/option-flags.js';
import { reporterOption } from '../../src/cli/options/test-flags.js';
import type { ExitCode } from '../../src/cli/shell/exit-codes.js';

export default class ReportMerge extends BaseCommand {
  static override summary = 'Merge the reports of the shards of a test run or of a replay.';

  static override description =
    'The reports must have been written by test --reporter json=FILE or replay -o json. A case may be in one report only; missing shards are reported, and their cases count as skipped. ' +
    'The exit code is that of the whole run, 3 when a shard is missing.';

  static override usage = 'report merge FILE... [FLAGS]';

  static override examples = [
    {
      description: 'Merge two shards',
      command: '<%= config.bin %> report merge reports/shard-1.json reports/shard-2.json --reporter default --reporter html=report.html',
    },
  ];

  static override strict = false;
  static override args = { file: Args.string({ description: 'a report written by test --reporter json=FILE or replay -o json' }) };
  static override flags = flagsOfOptions({ reporter: reporterOption });

  async run(): Promise<ExitCode> {
    const { argv, options } = await this.readOptions(ReportMerge);
    const { mergeReports } = await import('../../src/cli/commands/report/merge-reports.js');
    const command = { files: argv.map(String), reporter: options.reporter, noColor: options.noColor ?? false };
    return mergeReports({ ...command, toolVersion: this.toolVersion }, this.surroundings);
  }
}
