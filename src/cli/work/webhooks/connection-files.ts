import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { privateKeyIn } from '../../../certificates/key-types.js';
import { CliError } from '../../../client/cli-error.js';
import { isHeaderText } from '../../../client/options/header-text.js';
import { shellCommand } from '../../../writers/shell.js';
import { bundleError, bundleText } from '../../../x509/bundle.js';
import { readInputFile } from '../input/files.js';

/** Reads the certificates of a flag. Throws CliError for a file without a PEM certificate, which would be blamed on the webhook. */
export function readBundle(flag: string, file: string, cwd: string, services: readonly string[] = []): Uint8Array {
  if (!existsSync(path.resolve(cwd, file)))
    throw unusable(flag, file, 'it does not exist', `create it with "${certificatesCommand(services)}", or pass another file`);
  const bytes = readInputFile(file, cwd);
  const text = bundleText(bytes);
  const reason = text.trim() === '' ? 'it is empty' : bundleError(text);
  if (reason === undefined) return bytes;
  throw unusable(flag, file, reason, 'pass a file with PEM certificates');
}

/** Returns the command that creates certificates for services, `NS/NAME`. */
export function certificatesCommand(services: readonly string[]): string {
  return shellCommand(['webhook-cli', 'certs', 'create', ...services.flatMap(service => ['--service', service])]);
}

/** Reads the client certificate and its key. Throws CliError for files that are not, and for a key of another certificate. */
export function readClientPair(
  { certificate, key }: { readonly certificate: string; readonly key: string },
  cwd: string,
): { readonly certificate: string; readonly key: string } {
  const pair = { certificate: bundleText(readBundle('client-certificate', certificate, cwd)), key: readText(key, cwd) };
  const privateKey = privateKeyIn(pair.key);
  if (privateKey === undefined) throw unusable('client-key', key, 'it has no PEM private key', 'pass the key of --client-certificate');
  if (leafOf(pair.certificate)?.checkPrivateKey(privateKey) !== false) return pair;
  throw unusable('client-key', key, `it is not the key of ${certificate}`, 'pass the key of --client-certificate');
}

/** Reads a bearer token. Throws CliError for one that no header can carry. */
export function readToken(file: string, cwd: string): string {
  const token = readText(file, cwd).trim();
  if (token === '') throw unusable('token-file', file, 'it is empty', 'pass a file with one token');
  if (isHeaderText(token)) return token;
  throw unusable('token-file', file, 'the token contains a line break or another control character', 'pass a file with one token');
}

function leafOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function unusable(flag: string, file: string, reason: string, suggestion: string): CliError {
  return new CliError('invalid-certificate', `--${flag} cannot be used: ${reason}`, { location: { file }, suggestions: [suggestion] });
}

function readText(file: string, cwd: string): string {
  return Buffer.from(readInputFile(file, cwd)).toString('utf8');
}
