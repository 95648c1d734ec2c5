import { Flags } from '@oclif/core';
import { CertificateError } from '../../../certificates/certificate-error.js';
import { joinNames, presets, type ServingNames, serviceNames, servingName } from '../../../certificates/serving-names.js';
import { CliError, invalidFlag } from '../../../client/cli-error.js';
import { MalformedText } from '../../../encoding/placed-documents.js';
import { systemReason } from '../../../files/system-reason.js';
import { bundleError } from '../../../x509/bundle.js';
import { explainBundle } from '../../../x509/explain-bundle.js';
import { readPem } from '../../../x509/pem.js';

/** A lifetime: `30d`, `720h`, `12h30m`, `0`. In milliseconds. */
export const lifetimeFlag = Flags.custom<number>({
  parse: async (text, _, { name }) => {
    if (!/^(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?$|^0$/.test(text) || text === '')
      throw invalidFlag(name, text, 'a duration such as 30d or 720h');
    const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
    return [...text.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * (units[unit ?? ''] ?? 0), 0);
  },
});

export interface NameFlags {
  readonly service?: readonly string[] | undefined;
  readonly dns?: readonly string[] | undefined;
  readonly ip?: readonly string[] | undefined;
  readonly preset?: readonly string[] | undefined;
}

/** Returns the names of the flags; undefined when there are none. Throws CliError for invalid names. */
export function namesOfFlags({ service = [], dns = [], ip = [], preset = [] }: NameFlags): ServingNames | undefined {
  const sets = [
    ...service.map(serviceOfFlag).map(({ namespace, name }) => serviceNames(namespace, name)),
    ...dns.map(text => named(text, 'dns')),
    ...ip.map(text => named(text, 'ip')),
    ...Object.entries(presets).flatMap(([name, names]) => (preset.includes(name) ? [names] : [])),
  ];
  return sets.length === 0 ? undefined : joinNames(...sets);
}

/** Parses `NS/NAME`. Throws CliError. */
export function serviceOfFlag(text: string): { readonly namespace: string; readonly name: string } {
  const label = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
  const [, namespace, name] = new RegExp(`^(${label})/(${label})$`).exec(text) ?? [];
  if (namespace === undefined || name === undefined) throw invalidFlag('service', text, 'NAMESPACE/NAME, as in team/webhook');
  return { namespace, name };
}

function named(text: string, flag: 'dns' | 'ip'): ServingNames {
  const names = servingName(text);
  if (names === undefined || (flag === 'ip' && names.ips.length === 0)) {
    throw invalidFlag(flag, text, flag === 'ip' ? 'an IP address' : 'a host name or an IP address');
  }
  return names;
}

/** Runs an action; turns certificate errors and system errors into CliError. */
export async function rejectWithCliErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw cliErrorOf(error);
  }
}

function cliErrorOf(error: unknown): unknown {
  if (error instanceof CertificateError) {
    const code = error.code === 'refused' ? 'write-failed' : 'invalid-certificate';
    return new CliError(code, error.message, { suggestions: error.suggestions, cause: error });
  }
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    const file = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
    const isReading = error.syscall === 'scandir' || error.syscall === 'read';
    return new CliError(isReading ? 'unreadable-file' : 'write-failed', systemReason(error), {
      location: file === undefined ? undefined : { file },
      cause: error,
    });
  }
  return error;
}

/** Returns the PEM text of a file for a caBundle. Throws CliError for private keys, and for text that no API server can use. */
export function readBundleText(bytes: Uint8Array, file: string): string {
  const text = Buffer.from(bytes).toString('utf8');
  const location = { file };
  if (readPem(text).blocks.some(({ type }) => type.endsWith('PRIVATE KEY'))) {
    throw new CliError('invalid-certificate', 'contains a private key, which must not be in a caBundle', {
      location,
      suggestions: ['pass the certificate of the CA, ca.crt'],
    });
  }
  const message = text === '' ? 'the file is empty' : bundleError(text);
  if (message === undefined) return text;
  const why = explainBundle(text);
  throw new CliError('invalid-certificate', `the API server cannot use it: ${message}${why === undefined ? '' : ` (${why})`}`, {
    location,
  });
}

/** Runs an action on a file; turns syntax errors into CliError with file, line and column. */
export async function nameFileInErrors<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await rejectWithCliErrors(work);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    throw new CliError('invalid-syntax', error.message, { location: { file, line: error.line, column: error.column }, cause: error });
  }
}

/** Returns the text of a file, including a byte order mark. Throws CliError when it is not UTF-8. */
export function readUtf8Text(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new CliError('invalid-syntax', 'the text is not UTF-8', { location: { file }, cause: error });
  }
}
