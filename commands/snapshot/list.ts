import { Args } from '@oclif/core';
import { BaseCommand } from '../../src/cli/options/base-command.js';
import type { ExitCode } from '../../src/cli/shell/exit-codes.js';

export default class SnapshotList extends BaseCommand {
  static override summary = 'List pending snapshots and those that no case uses.';

  static override usage = 'snapshot list [PATH...]';

  static override examples = [{ description: 'Snapshots of a folder', command: '<%= config.bin %> snapshot list manifests/' }];

  static override strict = false;
  static override args = { path: Args.string({ description: 'as for `test`; the working directory by default' }) };

  async run(): Promise<ExitCode> {
    const { argv } = await this.readOptions(SnapshotList);
    const { listSnapshots } = await import('../../src/cli/commands/snapshot/list.js');
    return listSnapshots(argv.length === 0 ? ['.'] : argv.map(String), this.surroundings);
  }
}
