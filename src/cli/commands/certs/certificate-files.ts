import { CertificateError } from '../../../certificates/certificate-error.js';
import { CliError } from '../../../client/cli-error.js';
import { MalformedText } from '../../../encoding/placed-documents.js';
import { systemReason } from '../../../files/system-reason.js';
import { bundleError } from '../../../x509/bundle.js';
import { explainBundle } from '../../../x509/explain-bundle.js';
import { readPem } from '../../../x509/pem.js';

/** Runs an action; turns certificate errors and system errors into CliError. */
export async function withCliErrors<T>(work: () => Promise<T>): Promise<T> {
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
export function bundleText(bytes: Uint8Array, file: string): string {
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
export async function inFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await withCliErrors(work);
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    throw new CliError('invalid-syntax', error.message, { location: { file, line: error.line, column: error.column }, cause: error });
  }
}

/** Returns the text of a file, including a byte order mark. Throws CliError when it is not UTF-8. */
export function utf8Text(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new CliError('invalid-syntax', 'the text is not UTF-8', { location: { file }, cause: error });
  }
}
