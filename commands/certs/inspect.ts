import { Args } from '@oclif/core';
import { inspectOptions } from '../../src/cli/commands/certs/certificate-options.js';
import { BaseCommand } from '../../src/cli/options/base-command.js';
import { flagsOfOptions } from '../../src/cli/options/option-flags.js';
import type { ExitCode } from '../../src/cli/shell/exit-codes.js';

/** Shows a chain, and Go's result for each of its names. */
export default class CertsInspect extends BaseCommand {
  static override summary = 'Show certificates as the API server sees them.';

  static override description = [
    'A file (PEM or DER), a folder with tls.crt, or a server. ca.crt in the same folder is used as caBundle; tls.key or the',
    'key of the same name is compared with the certificate. Without --ca-file, a server is checked against certs/ca.crt',
    'if that exists.',
  ].join(' ');

  static override examples = [
    { description: 'A file', command: '<%= config.bin %> certs inspect certs/tls.crt' },
    { description: 'A server', command: '<%= config.bin %> certs inspect localhost:9443 --server-name webhook.team.svc' },
  ];

  static override args = {
    what: Args.string({ required: true, name: 'FILE|HOST:PORT', description: 'a file, a folder, or a server as HOST:PORT' }),
  };

  static override flags = flagsOfOptions(inspectOptions);

  override async run(): Promise<ExitCode> {
    const { args, options } = await this.readOptions(CertsInspect);
    const { runInspect } = await import('../../src/cli/commands/certs/run-inspect.js');
    return runInspect(args.what, options, this.surroundings);
  }
}
