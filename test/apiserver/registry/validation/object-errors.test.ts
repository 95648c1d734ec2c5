import { expect, test } from 'vitest';
import { createErrors } from '../../../../src/apiserver/registry/object-errors.js';
import { isMap, toValue } from '../../../../src/go/value.js';
import { builtInResources } from '../../../../src/kubernetes/resource-table.js';
import { server } from '../../../support/server.js';

test('an object may have more errors than a call can have arguments', () => {
  const resource = builtInResources(server, 'default').resources.find(({ resource: name }) => name === 'configmaps');
  const object = toValue({ metadata: { name: 'a', namespace: 'default', finalizers: new Array(600_000).fill('none') } });
  if (resource === undefined || !isMap(object)) throw new Error('there are ConfigMaps');
  expect(createErrors(server, object, resource, { create: () => {}, update: [] })).toHaveLength(600_000);
});
