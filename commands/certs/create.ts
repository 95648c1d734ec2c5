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
import { lifetimeFlag, namesOfFlags, rejectWithCliErrors, serviceOfFlag } from '../../src/cli/commands/certs/certificate-flags.js';
import { BaseCommand } from '../../src/cli/options/base-command.js';
import { numberFlag, timeFlag, wordFlag } from '../../src/cli/options/values.js';
import { type ExitCode, exitCodes } from '../../src/cli/shell/exit-codes.js';

const many = { multiple: true, multipleNonGreedy: true } as const;
const names = { helpGroup: 'NAMES' } as const;
const dayMs = 86_400_000;
const longestRenewBeforeMs = 30 * dayMs;

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

  static override flags = {
    service: Flags.string({ ...names, ...many, helpValue: 'NS/NAME', description: 'all names of this service' }),
    dns: Flags.string({ ...names, ...many, helpValue: 'NAME', description: 'a host name' }),
    ip: Flags.string({ ...names, ...many, helpValue: 'ADDRESS', description: 'an IP address' }),
    preset: wordFlag({
      ...names,
      ...many,
      choices: Object.keys(presets),
      helpValue: Object.keys(presets).join('|'),
      description: 'the names of this machine in such a cluster',
    }),
    'key-type': wordFlag({
      choices: keyTypes,
      helpValue: keyTypes.join('|'),
      description: 'the type of new keys; by default that of the existing key, else ecdsa-p256',
    }),
    days: numberFlag({ min: 1, max: 3650, default: 365, helpValue: 'N', description: 'validity of a new serving certificate in days' }),
    'renew-before': lifetimeFlag({
      helpValue: 'DURATION',
      description: 'renew a certificate that expires within this time; by default 30d, or a third of --days if that is less',
    }),
    'rotate-ca': Flags.boolean({ description: 'create a new CA; ca.crt keeps the previous one, too' }),
    force: Flags.boolean({ description: 'replace files that webhook-cli did not create, after a backup' }),
    'out-dir': Flags.string({ default: 'certs', helpValue: 'PATH', description: 'the folder for tls.crt, tls.key, ca.crt, ca.key' }),
    output: wordFlag({
      char: 'o',
      choices: ['text', 'secret', 'kustomize', 'cert-manager', 'json'],
      default: 'text',
      helpValue: 'text|secret|kustomize|cert-manager|json',
      description: 'what to print; the files are always written',
    }),
    now: timeFlag({ helpValue: 'TIME', description: 'the current time, instead of the clock' }),
  };

  override async run(): Promise<ExitCode> {
    const { options } = await this.readOptions(CertsCreate);
    const { days, output, service = [], outDir: folder } = options;
    const created = await rejectWithCliErrors(() =>
      createCertificates({
        folder: path.resolve(this.surroundings.cwd, folder),
        names: namesOfFlags(options),
        keyType: keyTypes.find(type => type === options.keyType),
        days,
        renewBeforeMs: options.renewBefore ?? Math.min(longestRenewBeforeMs, (days * dayMs) / 3),
        rotateAuthority: options.rotateCa,
        force: options.force,
        now: options.now ?? this.surroundings.now(),
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
