import { createHash } from 'node:crypto';
import { storageVersion } from '../../apiserver/storage/custom-storage.js';
import type { ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { readJsonData } from '../data-file.js';

/** Hashes by `group/version/resource`. */
const recordedHashes = memoize((server: ApiServer) =>
  readJsonData<Readonly<Record<string, string>>>(server, 'storage-version-hashes.json'),
);

/**
 * Returns the hash of a resource's storage version; undefined for resources that are not stored. Source: apiserver
 * endpoints/discovery/storageversionhash.go.
 */
export function storageVersionHash(
  server: ApiServer,
  { group, version, resource, kind }: Resource,
  definition: ValueMap | undefined,
): string | undefined {
  if (definition !== undefined) return hashOf(`${group}/${storageVersion(definition)}/${kind.kind}`);
  return recordedHashes(server)[`${group}/${version}/${resource}`];
}

function hashOf(storage: string): string {
  return createHash('sha256').update(storage).digest().subarray(0, 8).toString('base64');
}
