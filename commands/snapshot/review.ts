import { Args } from '@oclif/core';
import { BaseCommand } from '../../src/cli/options/base-command.js';
import type { ExitCode } from '../../src/cli/shell/exit-codes.js';

export default class SnapshotReview extends BaseCommand {
  static override summary = 'Show each pending snapshot with its diff, and ask whether to accept it.';

  static override usage = 'snapshot review [PATH...]';

  static override examples = [{ description: 'Snapshots of a folder', command: '<%= config.bin %> snapshot review manifests/' }];

  static override strict = false;
  static override args = { path: Args.string({ description: 'as for `test`; the working directory by default' }) };

  async run(): Promise<ExitCode> {
    const { argv, options } = await this.readOptions(SnapshotReview);
    const { reviewSnapshots } = await import('../../src/cli/commands/snapshot/review.js');
    return reviewSnapshots(argv.length === 0 ? ['.'] : argv.map(String), { noColor: options.noColor ?? false }, this.surroundings);
  }
}
