import { Flags } from '@oclif/core';
import { BaseCommand } from '../src/cli/options/base-command.js';
import { callFlags } from '../src/cli/options/call-flags.js';
import { withMember } from '../src/cli/options/option-flags.js';
import { durationFlag } from '../src/cli/options/values.js';
import { webhookFlags } from '../src/cli/options/webhook-flags.js';
import type { ExitCode } from '../src/cli/shell/exit-codes.js';

const manyYears = 1_000_000_000_000;

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

  static override flags = {
    filename: Flags.string({
      char: 'f',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'PATH',
      description: 'webhook configurations: a file, a folder, a glob or - for stdin',
    }),
    recursive: callFlags.recursive,
    url: webhookFlags.url,
    service: webhookFlags.service,
    urls: webhookFlags.urls,
    webhook: webhookFlags.webhook,
    timeout: withMember(
      'waitMs',
      durationFlag({ unit: 'Ms', minMs: 1, maxMs: manyYears, helpValue: '60s', description: 'how long to wait; 60s by default' }),
    ),
    interval: withMember(
      'intervalMs',
      durationFlag({
        unit: 'Ms',
        minMs: 1,
        maxMs: manyYears,
        helpValue: '500ms',
        description: 'pause between two attempts; 500ms by default',
      }),
    ),
    resolve: webhookFlags.resolve,
    'ca-file': webhookFlags['ca-file'],
    'server-name': webhookFlags['server-name'],
    'insecure-skip-tls-verify': webhookFlags['insecure-skip-tls-verify'],
    'client-certificate': webhookFlags['client-certificate'],
    'client-key': webhookFlags['client-key'],
    'token-file': webhookFlags['token-file'],
    header: webhookFlags.header,
    'allow-http': webhookFlags['allow-http'],
    'allow-remote': webhookFlags['allow-remote'],
  };

  async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(Wait);
    const { runWait } = await import('../src/cli/commands/wait/run-wait.js');
    return runWait(options, this.surroundings);
  }
}
