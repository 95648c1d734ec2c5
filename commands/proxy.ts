import { Flags } from '@oclif/core';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { openLiveFlag } from '../src/cli/options/output-flags.js';
import { numberFlag } from '../src/cli/options/values.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

const recording = { helpGroup: 'RECORDING' } as const;
const faults = { helpGroup: 'FAULTS' } as const;
const listening = { helpGroup: 'LISTENING' } as const;

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

  static override flags = {
    open: openLiveFlag,
    to: Flags.string({ required: true, helpValue: 'URL', description: 'the webhook, without a path: https://127.0.0.1:9443' }),
    'ca-file': Flags.string({
      helpValue: 'PATH',
      description: "the CA of the webhook's certificate; certs/ca.crt if it exists, otherwise the system's",
    }),
    record: Flags.string({ ...recording, helpValue: 'DIR', description: 'write each exchange to a file in this directory' }),
    redact: Flags.string({
      ...recording,
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'PATH',
      description: 'redact this field of the objects too, such as spec.containers[*].env[*].value; repeatable',
    }),
    'max-files': numberFlag({
      ...recording,
      min: 1,
      max: 1_000_000,
      helpValue: 'N',
      description: 'max number of recordings in the directory; the oldest are removed first; 1000 by default',
    }),
    'max-bytes': Flags.string({
      ...recording,
      helpValue: 'SIZE',
      description: 'max size of all recordings, such as 64Mi; 256Mi by default',
    }),
    fault: Flags.string({
      ...faults,
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'KIND[=VALUE][:SHARE]',
      description: 'a fault to inject, such as delay=12s:10%; repeatable',
    }),
    match: Flags.string({
      ...faults,
      helpValue: 'EXPR',
      description:
        'record, and inject faults into, only the calls for which this CEL expression over request, object and oldObject is true',
    }),
    host: Flags.string({ ...listening, helpValue: 'ADDRESS', description: 'the address to listen on; 127.0.0.1 by default' }),
    port: numberFlag({ ...listening, min: 0, max: 65_535, helpValue: 'PORT', description: 'the port; 0, the default: any free port' }),
    'cert-dir': Flags.string({
      ...listening,
      helpValue: 'PATH',
      description: 'a directory with tls.crt and tls.key; certs if it has both, otherwise certificates are created in memory',
    }),
  };

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(ProxyCommand);
    const { runProxy } = await import('../src/cli/commands/proxy/run-proxy.js');
    return runProxy({ ...options, toolVersion: () => this.toolVersion }, this.surroundings);
  }
}
