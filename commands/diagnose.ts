import { Args } from '@oclif/core';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { manifestOptions } from '../src/cli/options/call-flags.js';
import { flagsOfOptions } from '../src/cli/options/option-flags.js';
import { outputOption } from '../src/cli/options/output-options.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

export default class Diagnose extends BaseCommand {
  static override summary = 'Explain an error of the API server: its cause, the component at fault, and a command that reproduces it.';

  static override description =
    'Paste what kubectl, Helm, Flux, Argo CD, a controller, an event or a log says. With -f, the manifest of the call shows what was added to it. The exit code is 1 when the text contains no known error.';

  static override usage = 'diagnose TEXT|- [-f PATH] [FLAGS]';

  static override args = {
    text: Args.string({ required: true, ignoreStdin: true, description: 'the error as it was printed, or - for stdin' }),
  };

  static override examples = [
    {
      description: 'Paste a line of kubectl',
      command: `<%= config.bin %> diagnose 'Error from server (InternalError): error when creating "pod.yaml": Internal error occurred: failed calling webhook "guard.shop.example.com": failed to call webhook: Post "https://guard.shop.svc:443/validate?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority'`,
    },
    {
      description: 'With the manifest of the call, which shows what a webhook has added',
      command: `kubectl get events | <%= config.bin %> diagnose - -f pod.yaml`,
    },
    {
      description: 'Part of a message',
      command: `<%= config.bin %> diagnose 'dial tcp 10.0.0.1:443: connect: connection refused' -o json`,
    },
  ];

  static override flags = flagsOfOptions({ ...manifestOptions, output: outputOption(['text', 'json']) });

  async run(): Promise<ExitCode> {
    const { args, options } = await this.readOptions(Diagnose);
    const { runDiagnose } = await import('../src/cli/commands/diagnose/run-diagnose.js');
    return runDiagnose(args.text, options, this.surroundings);
  }
}
