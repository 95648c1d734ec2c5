import { quote } from '../../go/quote.js';
import type { LiveStorage } from '../../kubernetes/live-storage.js';
import { StatusError } from '../../kubernetes/status.js';
import { badRequest, resourceExpired, timeout, unknownError } from '../../kubernetes/status-errors.js';

/**
 * Returns the number of a resourceVersion; 0 for an empty one. Throws the error of a read from a watch cache (500), or of a list and of a read from storage
 * (400). Source: apiserver storage/api_object_versioner.go, storage/cacher/cacher.go Get, storage/etcd3/store.go.
 */
export function revisionOf(text: string, of: 'read' | 'list'): bigint {
  if (text === '') return 0n;
  const isNumber = /^\d+$/.test(text);
  if (isNumber && BigInt(text) < 2n ** 64n) return BigInt(text);
  const shown = quote(text);
  const why = isNumber ? 'value out of range' : 'invalid syntax';
  const message = `resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: ${why}`;
  throw of === 'list' ? badRequest(`invalid resource version: ${message}`) : unknownError(message);
}

/** Waits for a future revision; storage without a watch cache does not. Throws a 504 if it is not reached. Source: apiserver storage/errors.go NewTooLargeResourceVersionError. */
export async function waitForRevision(wanted: bigint, live: LiveStorage, isCached: boolean): Promise<void> {
  if (wanted <= BigInt(live.revision())) return;
  if (!isCached || !(await live.waitForRevision(Number(wanted)))) throw revisionTooLarge(wanted, live.revision(), isCached);
}

/** Returns the 504 for a revision that was not reached in time. */
export function revisionTooLarge(wanted: bigint | number, current: number, isCached = true): StatusError {
  const { status } = timeout(`Too large resource version: ${wanted}, current: ${current}`, isCached ? 1 : 0);
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new StatusError({ ...status, details: { causes, ...(isCached ? { retryAfterSeconds: 1 } : {}) } });
}

/** Returns the 410 for a list at a compacted revision. */
export function revisionTooOld(revision: bigint): Error {
  return resourceExpired(`The resourceVersion for the provided list is too old: ${revision}`);
}

/** The same for the next page of a list. */
export function continueTooOld(): Error {
  const why = 'The provided continue parameter is too old to display a consistent list result.';
  return resourceExpired(
    `${why} You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.`,
  );
}
