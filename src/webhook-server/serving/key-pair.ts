import { readServingPair } from '../../certificates/serving-pair.js';
import { readNamedFile } from '../../files/read-file.js';
import { ownMember } from '../../go/own-members.js';
import type { Metrics } from './metrics.js';

/** Certificate and key, as PEM texts. */
export interface ServedKeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Invalid files of a key pair. The message is Go's. */
export class KeyPairError extends Error {
  override readonly name = 'KeyPairError';
  readonly file: string;

  constructor(message: string, file: string) {
    super(message);
    this.file = file;
  }
}

/** Files of a key pair, and the metrics that count when they are read. */
export interface KeyPairFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly metrics: Metrics;
}

/** Reads a pair. Rejects with KeyPairError. Source: crypto/tls LoadX509KeyPair. */
export async function readKeyPair({ certFile, keyFile, metrics }: KeyPairFiles): Promise<ServedKeyPair> {
  metrics.counters.certificateReads += 1;
  try {
    const pair = { cert: await readText(certFile), key: await readText(keyFile) };
    const { error } = readServingPair(pair.cert, pair.key);
    if (error !== undefined) throw new KeyPairError(error, certFile);
    return pair;
  } catch (error) {
    metrics.counters.certificateReadErrors += 1;
    throw error;
  }
}

async function readText(file: string): Promise<string> {
  try {
    return readNamedFile(file).toString('latin1');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new KeyPairError(`${code === 'EISDIR' ? 'read' : 'open'} ${file}: ${ownMember(systemWords, code) ?? code}`, file);
  }
}

/** System error messages as Go prints them. */
const systemWords: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
};
