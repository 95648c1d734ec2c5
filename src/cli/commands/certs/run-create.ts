import path from 'node:path';
import { type Created, createCertificates } from '../../../certificates/create-certificates.js';
import {
  createdForCertManager,
  createdJson,
  createdKustomization,
  createdSecret,
  createdText,
} from '../../../certificates/created-documents.js';
import { joinNames, presets, type ServingNames, serviceNames } from '../../../certificates/serving-names.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { withCliErrors } from './certificate-files.js';
import type { CreateOptions } from './certificate-options.js';

const dayMs = 86_400_000;
const longestRenewBeforeMs = 30 * dayMs;

/** Creates, keeps or renews the CA and the serving certificate of a folder, and prints what was done. Throws CliError. */
export async function runCreate(options: CreateOptions, { cwd, now, stdout, stderr }: Surroundings): Promise<ExitCode> {
  const { days, output, service = [], outDir: folder } = options;
  const created = await withCliErrors(() =>
    createCertificates({
      folder: path.resolve(cwd, folder),
      names: namesOf(options),
      keyType: options.keyType,
      days,
      renewBeforeMs: options.renewBeforeMs ?? Math.min(longestRenewBeforeMs, (days * dayMs) / 3),
      rotateAuthority: options.rotateCa ?? false,
      force: options.force ?? false,
      now: options.now ?? now(),
    }),
  );
  const namespace = service[0]?.namespace;
  stdout.write(printed(created, { output, folder: folder.replace(/(?<=.)\/+$/, ''), namespace }));
  if (output !== 'text' && output !== 'json') for (const note of created.notes) stderr.write(`note: ${note}\n`);
  return exitCodes.allowed;
}

/** Returns the names of the options; undefined when there are none. */
function namesOf({ service = [], dns = [], ip = [], preset = [] }: CreateOptions): ServingNames | undefined {
  const sets = [
    ...service.map(({ namespace, name }) => serviceNames(namespace, name)),
    ...dns,
    ...ip,
    ...Object.entries(presets).flatMap(([name, names]) => (preset.some(one => one === name) ? [names] : [])),
  ];
  return sets.length === 0 ? undefined : joinNames(...sets);
}

interface Printing {
  readonly output: CreateOptions['output'];
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
