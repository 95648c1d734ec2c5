import { proxyOptions } from '../src/cli/commands/proxy/proxy-options.js';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

export default class ProxyCommand extends BaseCommand {
  static override summary = 'Run a proxy in front of a webhook that records reviews and injects faults.';

  static override description =
    'Requests are forwarded to the webhook and its responses back, unchanged. With --record, each review is written to a file, once if it ' +
    'equals an earlier one; data of Secrets, tokens, credentials and the fields given with --redact are replaced by a hash before they are ' +
    'written or printed. The webhook keeps working when files cannot be written. ' +
    'A fault is delay=DURATION, abort[=close|abort|reset|hang|half-close], status=CODE, truncate[=BYTES], wrong-uid or script=FILE, where ' +
    'the script is as for `serve`; :SHARE is a random share of the calls, such as :10%, or every third call, :1/3. Ends with Ctrl-C.';

  static override usage = 'proxy --to URL [--record DIR] [--fault KIND[=VALUE][:SHARE]] [FLAGS]';

  static override examples = [
    {
      description: 'Record the requests and responses of a webhook',
      command:
        '<%= config.bin %> proxy --to https://127.0.0.1:9443 --ca-file certs/ca.crt --cert-dir certs --port 8443 --record recordings',
    },
    {
      description: 'Delay one response in ten, and answer every third deletion with 503',
      command:
        '<%= config.bin %> proxy --to https://127.0.0.1:9443 --fault delay=12s:10% --fault status=503:1/3 --match \'request.operation == "DELETE"\'',
    },
    {
      description: 'Replay the recordings as tests',
      command: '<%= config.bin %> test recordings --url https://127.0.0.1:9443',
    },
  ];

  static override flags = flagsOfOptions(proxyOptions);

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(ProxyCommand);
    const { runProxy } = await import('../src/cli/commands/proxy/run-proxy.js');
    return runProxy({ ...options, toolVersion: () => this.toolVersion }, this.surroundings);
  }
}
