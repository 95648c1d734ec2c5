import { BaseCommand } from '../src/cli/options/base-command.js';
import { convertFlags } from '../src/cli/options/convert-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

export default class Convert extends BaseCommand {
  static override summary = 'Convert custom resources between versions as the API server does, and check the conversion webhook.';

  static override description =
    'The definition comes from the state. Objects are read in their stored version, pruned and defaulted, and sent in a ConversionReview as the API ' +
    'server sends it; the answer is checked by its rules. The exit code is 1 when the webhook refuses or fields are lost, 4 when it cannot be called and 5 when its answer is invalid.';

  static override usage = 'convert -f PATH --state PATH [--to VERSION|all] [--round-trip] [--url URL | --demo] [FLAGS]';

  static override examples = [
    {
      description: 'Convert an object with the reference webhook',
      command: '<%= config.bin %> convert --demo --state offers.yaml -f offer.yaml --to all',
    },
    {
      description: 'Find fields that are lost between versions',
      command: '<%= config.bin %> convert --demo --state offers.yaml -f offer.yaml --round-trip',
    },
    {
      description: 'Your own webhook, for the service in the definition',
      command:
        '<%= config.bin %> convert --state offers.yaml --service shop/converter=https://127.0.0.1:8443 --ca-file certs/ca.crt -f offer.yaml --to v1beta1 -o yaml',
    },
  ];

  static override flags = convertFlags;

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(Convert);
    if (options.case !== undefined) {
      const { printReviewCases } = await import('../src/cli/work/calls/print-cases.js');
      return printReviewCases({ ...options, case: options.case }, this.surroundings);
    }
    const { runConvert } = await import('../src/cli/commands/convert/run-convert.js');
    return runConvert(options, this.surroundings);
  }
}
