import { expect, it } from 'vitest';
import { newServedCluster } from '../../local-apiserver/support/served-cluster.js';

const path = '/api/v1/namespaces/default/persistentvolumeclaims';

/** Asked of kube-apiserver v1.36.3: an old group, valid or not, lets an update have any. */
it.each([
  ['another', { kind: 'VolumeSnapshot', apiGroup: 'snapshot.storage.k8s.io' }, ['spec', 'spec']],
  ['no', { kind: 'PersistentVolumeClaim' }, ['spec.dataSource.apiGroup', 'spec', 'spec']],
])('an invalid group of a data source in place of %s group', async (_, source, fields) => {
  const { request } = newServedCluster();
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, dataSource: { name: 'n', ...source } };
  expect((await request('POST', path, { body: { metadata: { name: 'c' }, spec } })).status).toBe(201);
  const headers = { 'content-type': 'application/strategic-merge-patch+json' };
  const { body } = await request('PATCH', `${path}/c`, { body: { spec: { dataSource: { apiGroup: 'Not A Group' } } }, headers });
  const causes: readonly { readonly field: string }[] = JSON.parse(String(body)).details.causes;
  expect(causes.map(({ field }) => field)).toEqual(fields);
});
