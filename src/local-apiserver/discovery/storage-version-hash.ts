import { createHash } from 'node:crypto';
import { storageVersion } from '../../apiserver/storage/custom-storage.js';
import type { ValueMap } from '../../go/value.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { readData } from '../data-file.js';

let recorded: Readonly<Record<string, string>> | undefined;

/**
 * Returns the hash of a resource's storage version; undefined for resources that are not stored. Source: apiserver
 * endpoints/discovery/storageversionhash.go.
 */
export function storageVersionHash({ group, version, resource, kind }: Resource, definition: ValueMap | undefined): string | undefined {
  if (definition !== undefined) {
    const text = `${group}/${storageVersion(definition)}/${kind.kind}`;
    return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
  }
  recorded ??= JSON.parse(readData('storage-version-hashes.json').toString('utf8')) as Record<string, string>;
  return recorded[`${group}/${version}/${resource}`];
}
