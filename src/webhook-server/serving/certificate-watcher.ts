import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readServingPair } from '../../certificates/serving-pair.js';
import type { Logger } from './log.js';
import type { Metrics } from './metrics.js';

/** A certificate and its key, as PEM texts. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** The files of a pair cannot be used. The message is Go's. */
export class KeyPairError extends Error {
  override readonly name = 'KeyPairError';
  readonly file: string;

  constructor(message: string, file: string) {
    super(message);
    this.file = file;
  }
}

export interface WatchOptions {
  readonly certFile: string;
  readonly keyFile: string;
  readonly pollMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Takes a new pair; throws when it cannot be used. */
  readonly onChange: (pair: KeyPair) => void;
}

/** Reads a pair. Rejects with KeyPairError. Source: crypto/tls LoadX509KeyPair. */
export async function readKeyPair({
  certFile,
  keyFile,
  metrics,
}: Pick<WatchOptions, 'certFile' | 'keyFile' | 'metrics'>): Promise<KeyPair> {
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
    return await readFile(file, 'latin1');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new KeyPairError(`${code === 'EISDIR' ? 'read' : 'open'} ${file}: ${systemWords[code] ?? code}`, file);
  }
}

/** The system's messages as Go prints them. */
const systemWords: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
};

/** How long a change may go on before the files are read: both of them are written, one after the other. */
const settleMs = 100;

/**
 * Reads the files again when something happens in their folders, and from time to time. A pair that cannot be used leaves the old one in
 * use. Answers how to stop. Source: controller-runtime certwatcher.
 */
export function watchKeyPair(first: KeyPair, options: WatchOptions): () => void {
  const { certFile, keyFile, pollMs, logger } = options;
  let current = first;
  let reading = Promise.resolve();
  const readAgain = (onError: (message: string) => void): void => {
    reading = reading.then(async () => {
      try {
        const pair = await readKeyPair(options);
        if (leafOf(pair) === leafOf(current) && pair.key === current.key) return;
        options.onChange(pair);
        current = pair;
        logger.info('Updated current TLS certificate', { cert: certFile, key: keyFile });
      } catch (error) {
        onError(error instanceof Error ? error.message : String(error));
      }
    });
  };
  let settling: NodeJS.Timeout | undefined;
  const noticed = (): void => {
    settling ??= setTimeout(() => {
      settling = undefined;
      readAgain(message => logger.error('error re-reading certificate', message));
    }, settleMs);
  };
  const watchers = [...new Set([certFile, keyFile].map(file => path.dirname(file)))].map(folder => watchFolder(folder, noticed));
  const poll = setInterval(() => readAgain(message => logger.error('failed read certificate', message)), pollMs);
  return () => {
    clearInterval(poll);
    clearTimeout(settling);
    for (const watcher of watchers) watcher?.close();
  };
}

/** Only the leaf counts: a new intermediate certificate alone is not noticed. */
function leafOf({ cert }: KeyPair): string {
  const end = '-----END CERTIFICATE-----';
  const from = cert.indexOf('-----BEGIN CERTIFICATE-----');
  return cert.slice(from, cert.indexOf(end, from));
}

/** Watches a folder; what a watcher misses, the next reading finds. */
function watchFolder(folder: string, onEvent: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
