import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { isRefusedByOpenSsl, readServingPair } from '../../../certificates/serving-pair.js';
import { CliError } from '../../../client/cli-error.js';
import { joinHostPort } from '../../../go/net/host-port.js';
import { ownMember } from '../../../go/own-members.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readInputFile } from '../input/files.js';
import { listenReasons } from './listen-reasons.js';

/** Certificate and key of a server. */
export interface ServingKeyPair {
  readonly cert: string;
  readonly key: string;
  /** PEM of the CA, when it was created here. */
  readonly ca?: string | undefined;
  /** File of the CA in the same folder. */
  readonly caFile?: string | undefined;
}

/** Returns the pair in a folder; without one, a pair made in memory for the host and the local names. Throws CliError. */
export async function readOrMakeServingPair(
  { folder, host }: { readonly folder: string | undefined; readonly host: string },
  { cwd, now }: Pick<Surroundings, 'cwd' | 'now'>,
): Promise<ServingKeyPair> {
  if (folder === undefined) {
    const { issueInMemory } = await import('../../../certificates/self-signed.js');
    return issueInMemory({ dns: [], ips: isIP(host) === 0 ? [] : [host] }, now());
  }
  const read = (name: string): string => Buffer.from(readInputFile(path.join(folder, name), cwd)).toString('utf8');
  const caFile = path.join(folder, 'ca.crt');
  return { cert: read('tls.crt'), key: read('tls.key'), caFile: existsSync(path.resolve(cwd, caFile)) ? caFile : undefined };
}

/** Attempt to listen. */
export interface PairAttempt {
  readonly host: string;
  readonly port: number;
  /** Source of certificate and key, and their names there. */
  readonly source: string | undefined;
  readonly files: string;
  readonly pair?: Pick<ServingKeyPair, 'cert' | 'key'> | undefined;
}

/** Returns the error for an address that cannot be listened on, or a pair that cannot be used; other errors as they are. */
export function listenError(error: unknown, { host, port, source, files, pair }: PairAttempt): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = ownMember(listenReasons, code);
  if (reason !== undefined)
    return new CliError('usage', `${joinHostPort(host, port)}: ${reason}`, {
      suggestions: ['pass another --port or --host'],
      cause: error,
    });
  if (source === undefined || !isRefusedByOpenSsl(error)) return error;
  const why = (pair && readServingPair(pair.cert, pair.key).error) ?? error.message;
  return new CliError('invalid-certificate', `${files} cannot be used: ${why}`, {
    location: { file: source },
    suggestions: ['pass a certificate and its key, both PEM'],
    cause: error,
  });
}
