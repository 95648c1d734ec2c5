import { replayOptions } from '../src/cli/commands/replay/replay-options.js';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

export default class Replay extends BaseCommand {
  static override summary = 'Make the calls of audit logs and recordings again, and print what would change.';

  static override description =
    'Makes every create, update, patch and delete of an audit log again, with the webhooks and policies of --state or the webhook of --url, and compares the result with what the log says happened. Recorded and captured reviews are sent again, and the answers compared with the recorded ones. ' +
    'What the log does not show is counted by reason and not guessed. The exit code is 1 when anything would change. ' +
    'With --outage and --latency webhooks do not answer, or late; with --rate the reviews of the log become a load test.';

  static override usage = 'replay -f PATH [--url URL | --state PATH] [FLAGS]';

  static override examples = [
    { description: 'Whom would this policy have hit last week?', command: '<%= config.bin %> replay -f audit/ --state policy.yaml' },
    {
      description: 'The same traffic with a webhook that does not answer',
      command:
        '<%= config.bin %> replay -f audit/ --state cluster/ --service "*=https://127.0.0.1:8443" --outage guard.example.com@2026-01-02T08:00:00Z..2026-01-02T09:00:00Z',
    },
    {
      description: 'Does the webhook hold 50 reviews a second?',
      command: '<%= config.bin %> replay -f audit.log --url https://127.0.0.1:8443/validate --rate 50/s --for 2s --max-p99 500ms',
    },
  ];

  static override flags = flagsOfOptions(replayOptions);

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(Replay);
    const { runReplay } = await import('../src/cli/commands/replay/run-replay.js');
    return runReplay({ options, given: this.givenOptions, argv: this.argv, toolVersion: this.toolVersion }, this.surroundings);
  }
}
