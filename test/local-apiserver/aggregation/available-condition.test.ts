import { expect, it } from 'vitest';
import { listAt, stringAt } from '../../../src/go/value.js';
import { withAvailability } from '../../../src/local-apiserver/aggregator/available-condition.js';
import { mapOf } from '../../support/map-of.js';

it('the owner of the status has its place among the other owners, so that writing an APIService again changes nothing', () => {
  const owner = { manager: 'kubectl', operation: 'Update', apiVersion: 'apiregistration.k8s.io/v1', time: '2026-01-01T00:00:00Z' };
  const apiService = mapOf({ metadata: { name: 'v1.x.io', managedFields: [owner] } });
  const changed = withAvailability(apiService, { status: 'True', reason: 'Local', message: '' }, new Date('2026-01-01T00:00:00.5Z'));
  const managers = listAt(changed, 'metadata', 'managedFields').map(entry => stringAt(entry, 'manager'));
  expect(managers).toEqual(['kube-apiserver', 'kubectl']);
});
