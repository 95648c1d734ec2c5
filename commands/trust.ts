import { BaseCommand } from '../src/cli/options/base-command.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';
import { onOff } from '../src/client/options/option.js';

export default class Trust extends BaseCommand {
  static override summary = 'Trust the webhook-cli.yaml and the suites found here: what they run, call and send.';

  static override description =
    'A webhook-cli.yaml that is found may come from a stranger: flags in it that run a program, name an address or a cluster, write files, send credentials or weaken a check are ' +
    'ignored until the file is trusted, with its current contents. Suites that `test` and `dev` find without being given a path need trust if they start a program, call other machines or read ' +
    'a cluster; their cases may change without new trust. Trust is recorded in the folder of the user, $XDG_STATE_HOME or ~/.local/state. WEBHOOK_CLI_TRUST=1 trusts everything that is found, for CI.';

  static override examples = [
    { description: 'After reading the files of a clone', command: '<%= config.bin %> trust' },
    { description: 'No longer', command: '<%= config.bin %> trust --revoke' },
  ];

  static override flags = flagsOfOptions({ revoke: { ...onOff, description: 'withdraw the trust in the files found here' } });

  /** It reads the file itself. */
  protected override get takesDefaults(): boolean {
    return false;
  }

  async run(): Promise<ExitCode> {
    const { flags } = await this.parse(Trust);
    const { runTrust } = await import('../src/cli/commands/trust/run-trust.js');
    return runTrust({ revoke: flags.revoke ?? false, listKnownFlags: () => this.listKnownFlags() }, this.surroundings);
  }
}
