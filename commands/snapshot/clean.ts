import { Args } from '@oclif/core';
import { BaseCommand } from '../../src/cli/options/base-command.js';
import type { ExitCode } from '../../src/cli/shell/exit-codes.js';

export default class SnapshotClean extends BaseCommand {
  static override summary = 'Remove snapshots that no case uses.';

  static override usage = 'snapshot clean [PATH...]';

  static override examples = [{ description: 'Snapshots of a folder', command: '<%= config.bin %> snapshot clean manifests/' }];

  static override strict = false;
  static override args = { path: Args.string({ description: 'as for `test`; the working directory by default' }) };

  async run(): Promise<ExitCode> {
    const { argv } = await this.readOptions(SnapshotClean);
    const { cleanSnapshots } = await import('../../src/cli/commands/snapshot/list.js');
    return cleanSnapshots(argv.length === 0 ? ['.'] : argv.map(String), this.surroundings);
  }
}
