import { createHash } from 'node:crypto';
import { storageVersion } from '../../apiserver/storage/custom-storage.js';
import type { ValueMap } from '../../go/value.js';
import { type KubernetesMinor, until } from '../../kubernetes/kubernetes-version.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { readData } from '../data-file.js';

let recorded: Readonly<Record<string, string>> | undefined;

/**
 * Returns the hash of a resource's storage version; undefined for resources that are not stored. Source: apiserver
 * endpoints/discovery/storageversionhash.go.
 */
export function storageVersionHash({ group, version, resource, kind }: Resource, definition: ValueMap | undefined): string | undefined {
  if (definition !== undefined) return hashOf(`${group}/${storageVersion(definition)}/${kind.kind}`);
  const earlier = earlierVersions.find(row => row.group === group && row.resources.includes(resource) && until(row.minor));
  if (earlier !== undefined) return hashOf(`${group}/${earlier.version}/${kind.kind}`);
  recorded ??= JSON.parse(readData('storage-version-hashes.json').toString('utf8')) as Record<string, string>;
  return recorded[`${group}/${version}/${resource}`];
}

/** Resources that were stored in another version, with the last minor that did so. */
const earlierVersions: readonly {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly string[];
  readonly minor: KubernetesMinor;
}[] = [
  { group: 'storage.k8s.io', version: 'v1beta1', resources: ['volumeattributesclasses'], minor: 'v1.35' },
  {
    group: 'resource.k8s.io',
    version: 'v1beta2',
    resources: ['deviceclasses', 'resourceclaims', 'resourceclaimtemplates', 'resourceslices'],
    minor: 'v1.34',
  },
];

function hashOf(storage: string): string {
  return createHash('sha256').update(storage).digest().subarray(0, 8).toString('base64');
}
