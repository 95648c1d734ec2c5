import { expect, it } from 'vitest';
import { newServedCluster } from '../../local-apiserver/support/served-cluster.js';

const path = '/api/v1/persistentvolumes';
const affinity = (key: string): object => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: ['x'] }] }] },
});
const [beta, ga] = ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'];

/** Asked of kube-apiserver v1.36.3 with 500 random changes: Go's map has an empty key for a label without a new name. */
it.each([
  ['a label to its new name', beta, ga, []],
  ['a label to its old name', ga, beta, ['nodeAffinity']],
  ['a label to another one', 'a', 'b', ['nodeAffinity']],
  [
    'a label to an empty key, which is invalid as a key',
    'a',
    '',
    ['spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key'],
  ],
])('a change of the affinity of a volume from %s', async (_, first, second, fields) => {
  const { request } = newServedCluster();
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' }, nodeAffinity: affinity(first) };
  expect((await request('POST', path, { body: { metadata: { name: 'v' }, spec } })).status).toBe(201);
  const headers = { 'content-type': 'application/merge-patch+json' };
  const { body } = await request('PATCH', `${path}/v`, { body: { spec: { nodeAffinity: affinity(second) } }, headers });
  const causes: readonly { readonly field: string }[] = JSON.parse(String(body)).details?.causes ?? [];
  expect([...new Set(causes.map(({ field }) => field))]).toEqual(fields);
});
