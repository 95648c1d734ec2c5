import { expect, it } from 'vitest';
import { fooDefinition } from './support/foo-definition.js';
import { newServedCluster } from './support/served-cluster.js';

const foos = '/apis/a.com/v1/namespaces/default/foos';

/** As kube-apiserver v1.36.3. */
it.each([
  [
    {},
    '',
    500,
    /^failed to create manager for existing fields: failed to convert live object \(\/; autoscaling\/v1, Kind=Scale\) to proper/,
  ],
  [{ n: 1 }, '', 409, /^Apply failed with 1 conflict: conflict with "unknown" using autoscaling\/v1: \.spec\.replicas$/],
  [
    { n: 1 },
    '&force=true',
    500,
    /^failed to convert new object \(\/x; autoscaling\/v1, Kind=Scale\) to proper version: request to convert CR/,
  ],
])('an apply to the Scale of a custom resource with the spec %j%s answers %i', async (spec, query, status, message) => {
  const { request } = newServedCluster();
  const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const body = fooDefinition({ schema: { openAPIV3Schema }, subresources: { status: {}, scale } });
  await request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body });
  await request('POST', foos, { body: { apiVersion: 'a.com/v1', kind: 'Foo', metadata: { name: 'x' }, spec } });
  const applied = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'x' }, spec: { replicas: 3 } };
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  const answer = await request('PATCH', `${foos}/x/scale?fieldManager=m${query}`, { body: applied, headers });
  expect(answer.status).toBe(status);
  expect(JSON.parse(String(answer.body)).message).toMatch(message);
});
