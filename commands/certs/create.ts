import path from 'node:path';
import { Flags } from '@oclif/core';
import { type Created, createCertificates } from '../../src/certificates/create-certificates.js';
import {
  createdForCertManager,
  createdJson,
  createdKustomization,
  createdSecret,
  createdText,
} from '../../src/certificates/created-documents.js';
import { keyTypes } from '../../src/certificates/key-types.js';
import { presets } from '../../src/certificates/serving-names.js';
import { BaseCommand } from '../../src/cli/base-command.js';
import { lifetimeFlag, namesOfFlags, serviceOfFlag, withCliErrors } from '../../src/cli/certificate-flags.js';
import { type ExitCode, exitCodes } from '../../src/cli/exit-codes.js';
import { numberFlag, timeFlag, wordFlag } from '../../src/cli/flags/values.js';

const many = { multiple: true, multipleNonGreedy: true } as const;
const names = { helpGroup: 'NAMES' } as const;
const dayMs = 86_400_000;
const longestRenewBeforeMs = 30 * dayMs;

/** Creates, keeps and renews a CA and a serving certificate. */
export default class CertsCreate extends BaseCommand {
  static override summary = 'Make a CA and a serving certificate that every API server accepts.';

  static override description = [
    'What is there and good for the same names is kept. Other names, or an end within --renew-before, renew the serving',
    'certificate under the same CA. The CA changes with --rotate-ca only: then ca.crt holds the new one and the one',
    'before, so that both are trusted. localhost, 127.0.0.1 and ::1 are always among the names. Without any name flag',
    'the names of the certificate that is there stay.',
  ].join(' ');

  static override examples = [
    { description: 'For the service of a webhook', command: '<%= config.bin %> certs create --service team/webhook' },
    { description: 'For a webhook on this machine that a kind cluster calls', command: '<%= config.bin %> certs create --preset kind' },
    { description: 'As a Secret', command: '<%= config.bin %> certs create --service team/webhook -o secret | kubectl apply -f -' },
  ];

  static override flags = {
    service: Flags.string({ ...names, ...many, helpValue: 'NS/NAME', description: 'all names of this service' }),
    dns: Flags.string({ ...names, ...many, helpValue: 'NAME', description: 'a host name' }),
    ip: Flags.string({ ...names, ...many, helpValue: 'ADDRESS', description: 'an IP address' }),
    preset: wordFlag({
      ...names,
      ...many,
      words: Object.keys(presets),
      helpValue: Object.keys(presets).join('|'),
      description: 'the names by which such a cluster reaches this machine',
    }),
    'key-type': wordFlag({
      words: keyTypes,
      helpValue: keyTypes.join('|'),
      description: 'ecdsa-p256, unless there is a key of another type',
    }),
    days: numberFlag({ min: 1, max: 3650, default: 365, helpValue: 'N', description: 'how long a new serving certificate lasts' }),
    'renew-before': lifetimeFlag({
      helpValue: 'DURATION',
      description: 'renew a certificate that ends this soon; 30d, for short-lived ones a third of --days',
    }),
    'rotate-ca': Flags.boolean({ description: 'make a new CA; ca.crt keeps the one before as well' }),
    force: Flags.boolean({ description: 'replace files that webhook-cli did not make, after a copy' }),
    'out-dir': Flags.string({ default: 'certs', helpValue: 'PATH', description: 'the folder for tls.crt, tls.key, ca.crt, ca.key' }),
    output: wordFlag({
      char: 'o',
      words: ['text', 'secret', 'kustomize', 'cert-manager', 'json'],
      default: 'text',
      helpValue: 'text|secret|kustomize|cert-manager|json',
      description: 'what to print; the files are made in any case',
    }),
    now: timeFlag({ helpValue: 'TIME', description: 'fixes the clock' }),
  };

  override async run(): Promise<ExitCode> {
    const { flags } = await this.parse(CertsCreate);
    const { days, output, service = [], 'out-dir': folder } = flags;
    const created = await withCliErrors(() =>
      createCertificates({
        folder: path.resolve(this.surroundings.cwd, folder),
        names: namesOfFlags(flags),
        keyType: keyTypes.find(type => type === flags['key-type']),
        days,
        renewBeforeMs: flags['renew-before'] ?? Math.min(longestRenewBeforeMs, (days * dayMs) / 3),
        rotateAuthority: flags['rotate-ca'],
        force: flags.force,
        now: flags.now ?? this.surroundings.now(),
      }),
    );
    const namespace = service.map(text => serviceOfFlag(text).namespace)[0];
    this.surroundings.stdout.write(printed(created, { output, folder: folder.replace(/(?<=.)\/+$/, ''), namespace }));
    if (output !== 'text' && output !== 'json') for (const note of created.notes) this.surroundings.stderr.write(`note: ${note}\n`);
    return exitCodes.allowed;
  }
}

interface Printing {
  readonly output: string;
  readonly folder: string;
  readonly namespace: string | undefined;
}

function printed(created: Created, { output, folder, namespace }: Printing): string {
  switch (output) {
    case 'json':
      return createdJson(created, folder);
    case 'secret':
      return createdSecret(created, { namespace });
    case 'kustomize':
      return createdKustomization(folder, { namespace });
    case 'cert-manager':
      return createdForCertManager(created, { namespace });
    default:
      return createdText(created, folder);
  }
}
