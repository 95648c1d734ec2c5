import { createOptions } from '../../src/cli/commands/certs/certificate-options.js';
import { BaseCommand } from '../../src/cli/options/base-command.js';
import { flagsOfOptions } from '../../src/cli/options/option-flags.js';
import type { ExitCode } from '../../src/cli/shell/exit-codes.js';

/** Creates, keeps and renews a CA and a serving certificate. */
export default class CertsCreate extends BaseCommand {
  static override summary = 'Create a CA and a serving certificate that every API server accepts.';

  static override description = [
    'Existing files that are valid for the same names are kept. Other names, or expiry within --renew-before, renew the',
    'serving certificate with the same CA. Only --rotate-ca changes the CA: then ca.crt contains the new and the previous',
    'one, and both are trusted. localhost, 127.0.0.1 and ::1 are always among the names. Without name flags, the names of',
    'the existing certificate are kept.',
  ].join(' ');

  static override examples = [
    { description: 'For the service of a webhook', command: '<%= config.bin %> certs create --service team/webhook' },
    { description: 'For a webhook on this machine that a kind cluster calls', command: '<%= config.bin %> certs create --preset kind' },
    { description: 'As a Secret', command: '<%= config.bin %> certs create --service team/webhook -o secret | kubectl apply -f -' },
  ];

  static override flags = flagsOfOptions(createOptions);

  override async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(CertsCreate);
    const { runCreate } = await import('../../src/cli/commands/certs/run-create.js');
    return runCreate(options, this.surroundings);
  }
}
