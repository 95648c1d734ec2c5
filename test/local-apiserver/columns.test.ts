import { afterEach, expect, it } from 'vitest';
import { defaultMinor, selectServer } from '../../src/kubernetes/kubernetes-version.js';
import { builtInResources } from '../../src/kubernetes/resource-table.js';
import { columnsOf } from '../../src/local-apiserver/tables/columns.js';

afterEach(() => selectServer({ minor: defaultMinor, featureGates: '' }));

it.each([
  ['v1.34', ['Name', 'Secrets', 'Age']],
  ['v1.35', ['Name', 'Age']],
  ['v1.36', ['Name', 'Age']],
] as const)('has the columns of %s', (minor, names) => {
  selectServer({ minor, featureGates: '' });
  const resource = builtInResources('default').resources.find(each => each.resource === 'serviceaccounts');
  expect(columnsOf(resource, undefined).map(({ name }) => name)).toEqual(names);
});
