import { Args } from '@oclif/core';
import { BaseCommand } from '../../src/cli/options/base-command.js';
import type { ExitCode } from '../../src/cli/shell/exit-codes.js';

export default class SnapshotAccept extends BaseCommand {
  static override summary = 'Accept all pending snapshots.';

  static override usage = 'snapshot accept [PATH...]';

  static override examples = [{ description: 'Snapshots of a folder', command: '<%= config.bin %> snapshot accept manifests/' }];

  static override strict = false;
  static override args = { path: Args.string({ description: 'as for `test`; the working directory by default' }) };

  async run(): Promise<ExitCode> {
    const { argv } = await this.readOptions(SnapshotAccept);
    const { decideAll } = await import('../../src/cli/commands/snapshot/decide.js');
    return decideAll('accept', argv.length === 0 ? ['.'] : argv.map(String), this.surroundings);
  }
}
