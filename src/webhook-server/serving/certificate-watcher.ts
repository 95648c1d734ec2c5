import { watchChanges } from '../../files/file-changes.js';
import { messageOfResponse } from '../api/responses.js';
import { type KeyPairFiles, readKeyPair, type ServedKeyPair } from './key-pair.js';
import type { Logger } from './log.js';

export interface WatchOptions extends KeyPairFiles {
  readonly pollMs: number;
  readonly logger: Logger;
  /** Receives a new pair; throws when it is invalid. */
  readonly onChange: (pair: ServedKeyPair) => void;
}

/** Delay after a change before the files are read, because they are written one after the other. */
const settleMs = 20;

/** Delays of the reads after one that failed: a file may have been read while it was written. */
const retryMs: readonly number[] = [50, 100, 200, 400];

/**
 * Reloads the files when they change, and periodically. An invalid pair keeps the old one in use. Returns a function that stops it.
 * Source: controller-runtime certwatcher; the retries after a failed read are not upstream's.
 */
export function watchKeyPair(first: ServedKeyPair, options: WatchOptions): () => void {
  const { certFile, keyFile, pollMs, logger } = options;
  const update = createUpdate(first, options);
  let timer: NodeJS.Timeout | undefined;
  let isSettling = false;
  let isStopped = false;
  let loggedError: string | undefined;
  const readAfter = (ms: number, retries: readonly number[]): void => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      isSettling = false;
      const error = await update();
      if (error !== undefined && error !== loggedError) logger.error('error re-reading certificate', error);
      loggedError = error;
      const [next, ...rest] = retries;
      if (error !== undefined && next !== undefined && !isSettling && !isStopped) readAfter(next, rest);
    }, ms);
  };
  const unwatch = watchChanges([certFile, keyFile], () => {
    if (isSettling || isStopped) return;
    isSettling = true;
    readAfter(settleMs, retryMs);
  });
  const poll = setInterval(async () => {
    const error = await update();
    if (error !== undefined) logger.error('failed read certificate', error);
  }, pollMs);
  return () => {
    isStopped = true;
    clearInterval(poll);
    clearTimeout(timer);
    unwatch();
  };
}

/** Returns a function that reads the pair, and reports it when it is new; it resolves with the error's message, if any. Reads do not overlap. */
function createUpdate(first: ServedKeyPair, options: WatchOptions): () => Promise<string | undefined> {
  const { certFile, keyFile, logger, onChange } = options;
  let current = first;
  let reading: Promise<string | undefined> = Promise.resolve(undefined);
  const readOnce = async (): Promise<string | undefined> => {
    try {
      const pair = await readKeyPair(options);
      if (leafOf(pair) === leafOf(current) && pair.key === current.key) return undefined;
      onChange(pair);
      current = pair;
      logger.info('Updated current TLS certificate', { cert: certFile, key: keyFile });
      return undefined;
    } catch (error) {
      return messageOfResponse(error);
    }
  };
  return () => {
    reading = reading.then(readOnce);
    return reading;
  };
}

/** Returns the leaf; a new intermediate certificate alone is not detected. */
function leafOf({ cert }: ServedKeyPair): string {
  const end = '-----END CERTIFICATE-----';
  const from = cert.indexOf('-----BEGIN CERTIFICATE-----');
  return cert.slice(from, cert.indexOf(end, from));
}
