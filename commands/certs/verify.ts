import { verifyOptions } from '../../src/cli/commands/certs/certificate-options.js';
import { BaseCommand } from '../../src/cli/options/base-command.js';
import { flagsOfOptions } from '../../src/cli/options/option-flags.js';
import type { ExitCode } from '../../src/cli/shell/exit-codes.js';

/** Checks the caBundle of each webhook against its server's certificate. */
export default class CertsVerify extends BaseCommand {
  static override summary = 'Check caBundles against serving certificates by the rules of the API server.';

  static override description = [
    'Checks against the files of --cert-dir, or with --service or --resolve by a TLS handshake with the server, without',
    'sending a request. Without a serving certificate, checks the caBundles alone. Without -f and --context, checks the folder: certificate, key and CA.',
    'Messages are those of the API server.',
    'Exit code 1: there are findings; 4: a server could not be reached.',
  ].join(' ');

  static override examples = [
    { description: 'A configuration and the files in certs/', command: '<%= config.bin %> certs verify -f webhooks.yaml' },
    {
      description: 'A running server',
      command: '<%= config.bin %> certs verify -f webhooks.yaml --service team/webhook=https://localhost:9443',
    },
    {
      description: 'The webhooks of a cluster and the files in certs/',
      command: '<%= config.bin %> certs verify --context staging',
    },
    { description: 'Fail a build 30 days before expiry', command: '<%= config.bin %> certs verify --min-days 30' },
  ];

  static override flags = flagsOfOptions(verifyOptions);

  override async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(CertsVerify);
    const { runVerify } = await import('../../src/cli/commands/certs/run-verify.js');
    return runVerify(options, this.surroundings);
  }
}
