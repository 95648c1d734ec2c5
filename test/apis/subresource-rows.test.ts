import { expect, it } from 'vitest';
import { kinds } from '../../src/apis/kinds.js';
import { partStorages, storages } from '../../src/apis/storages.js';
import { kubernetesMinors } from '../../src/kubernetes/kubernetes-version.js';
import { resourceTableOf, type Subresource } from '../../src/kubernetes/resource-table.js';

/** Returns subresources of all minors, with all APIs served: `pods./status`. */
function served(isMeant: (subresource: Subresource) => boolean): Set<string> {
  const resources = kubernetesMinors.flatMap(minor => resourceTableOf(minor, 'all').resources);
  return new Set(
    resources.flatMap(({ resource, group, subresources }) =>
      subresources.filter(isMeant).map(({ name }) => `${resource}.${group}/${name}`),
    ),
  );
}

/** Only their metadata is validated, which reports say; definitions are validated by their strategy. */
const withoutRules = [
  'csinodes.storage.k8s.io/status',
  'customresourcedefinitions.apiextensions.k8s.io/status',
  'evictionrequests.lifecycle.k8s.io/status',
  'evictions.lifecycle.k8s.io/status',
];

it('every subresource that objects are written to has a row in its kind, but for these', () => {
  const rows = [...kinds].flatMap(([name, kind]) => Object.keys(kind().subresources ?? {}).map(subresource => `${name}/${subresource}`));
  const isStored = (key: string): boolean => !storages.has(key) && !partStorages.has(key.split('/')[1] ?? '');
  expect([...rows, ...withoutRules].sort()).toEqual([...served(({ verbs }) => verbs.includes('update'))].filter(isStored).sort());
});

it('every storage of a subresource is of one that a minor serves', () => {
  const all = served(() => true);
  expect([...storages.keys()].filter(key => key.includes('/') && !all.has(key))).toEqual([]);
});
