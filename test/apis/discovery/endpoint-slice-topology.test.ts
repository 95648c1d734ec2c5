import { expect, it } from 'vitest';
import { newServedCluster } from '../../local-apiserver/support/served-cluster.js';

const path = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const addresses = ['10.0.0.1'];

/** Asked of kube-apiserver v1.36.3: topology is dropped after the generation is counted. */
it('an endpoint slice gets another generation for topology, which is dropped', async () => {
  const { request } = newServedCluster();
  const slice = { metadata: { name: 's' }, addressType: 'IPv4', endpoints: [{ addresses }] };
  expect((await request('POST', path, { body: slice })).status).toBe(201);
  const headers = { 'content-type': 'application/merge-patch+json' };
  const patched = async (endpoint: object) => {
    const { body } = await request('PATCH', `${path}/s`, { body: { endpoints: [{ addresses, ...endpoint }] }, headers });
    const { metadata, endpoints } = JSON.parse(String(body));
    return [metadata.generation, endpoints];
  };
  expect(await patched({})).toEqual([1, [{ addresses, conditions: {} }]]);
  expect(await patched({ deprecatedTopology: { 'kubernetes.io/hostname': 'n' } })).toEqual([2, [{ addresses, conditions: {} }]]);
});
