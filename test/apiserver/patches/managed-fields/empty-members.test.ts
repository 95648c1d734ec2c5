import { describe, expect, it } from 'vitest';
import { newServedCluster } from '../../../local-apiserver/support/served-cluster.js';

interface Written {
  readonly metadata: { readonly managedFields: { readonly manager: string; readonly fieldsV1: object }[] };
}

const attributes = (other: object): object => ({ a: { int: 1 }, b: { string: 'x', ...other } });
const slice = (device: object): object => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: 'o' },
  spec: {
    driver: 'd.example.com',
    nodeName: 'n',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    devices: [{ name: 'd', ...device }],
  },
});
const policy = (rule: object): object => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'o', namespace: 'default' },
  spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ ports: [{ port: 80 }], ...rule }] },
});
const slices = '/apis/resource.k8s.io/v1/resourceslices';
const policies = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
const owned = (field: string): object => ({ 'f:spec': { [field]: {} } });

/** Recorded from kube-apiserver v1.37. */
describe('empty lists in items of atomic lists', () => {
  it.each([
    [
      'in a map of structs',
      slices,
      slice({ attributes: attributes({}) }),
      slice({ attributes: attributes({ bools: [] }) }),
      owned('f:devices'),
    ],
    [
      'null in a map of structs',
      slices,
      slice({ attributes: attributes({}) }),
      slice({ attributes: attributes({ bools: null }) }),
      undefined,
    ],
    ['in an item', slices, slice({}), slice({ taints: [] }), owned('f:devices')],
    ['in an item of a policy', policies, policy({}), policy({ from: [] }), owned('f:ingress')],
    [
      'outside of items',
      policies,
      policy({}),
      { ...policy({}), spec: { ...(policy({}) as { spec: object }).spec, egress: [] } },
      undefined,
    ],
  ])('%s', async (_, path, created, updated, fields) => {
    const { request } = newServedCluster();
    await request('POST', `${path}?fieldManager=one`, { body: created });
    const { status, body } = await request('PUT', `${path}/o?fieldManager=two`, { body: updated });
    const { metadata } = JSON.parse(String(body)) as Written;
    expect([status, metadata.managedFields.find(({ manager }) => manager === 'two')?.fieldsV1]).toEqual([200, fields]);
  });
});
