import { waitOptions } from '../src/cli/commands/wait/wait-options.js';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

export default class Wait extends BaseCommand {
  static override summary = 'Wait until webhooks answer reviews over TLS, with the caBundle that the API server uses.';

  static override description =
    'Sends each webhook the dry run of creating a pod, as the API server would, until it answers: rules, selectors and match conditions do not matter. ' +
    'Any response counts, including denials and HTTP errors, except 404, 502, 503, 504 and responses that are not reviews. ' +
    'With -f: every webhook of the configurations. Exit code 4: timeout; prints the last reason with the message of the API server.';

  static override usage = 'wait [--url URL | --service NS/NAME=URL | -f CONFIGURATION] [FLAGS]';

  static override examples = [
    { description: 'In a script, after the start of a webhook', command: '<%= config.bin %> wait --url https://127.0.0.1:8443/validate' },
    {
      description: 'All webhooks of a configuration, with their paths',
      command: '<%= config.bin %> wait -f webhooks.yaml --service team/webhook=https://127.0.0.1:8443 --ca-file certs/ca.crt',
    },
    {
      description: 'A service by the name that its certificate needs',
      command: '<%= config.bin %> wait --service shop/guard=https://127.0.0.1:8443/validate --ca-file certs/ca.crt --timeout 2m',
    },
  ];

  static override flags = flagsOfOptions(waitOptions);

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(Wait);
    const { runWait } = await import('../src/cli/commands/wait/run-wait.js');
    return runWait(options, this.surroundings);
  }
}
