import { expect, it } from 'vitest';
import { newServedCluster } from './support/served-cluster.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definition = `${definitions}/foos.a.com`;
const merge = { 'content-type': 'application/merge-patch+json' };

const specOf = (...versions: string[]): object => ({
  group: 'a.com',
  scope: 'Namespaced',
  names: { plural: 'foos', kind: 'Foo' },
  versions: versions.map((name, i) => ({ name, served: true, storage: i === 0, schema: { openAPIV3Schema: { type: 'object' } } })),
});

/** As kube-apiserver v1.36.3. */
it('a deleted definition with objects of a version that it lost remains until it has the version again', async () => {
  const { request } = newServedCluster();
  const patch = async (url: string, body: object): Promise<void> => {
    expect((await request('PATCH', url, { body, headers: merge })).status).toBe(200);
  };
  const metadata = { name: 'foos.a.com' };
  await request('POST', definitions, {
    body: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, spec: specOf('v1', 'v2') },
  });
  const object = { apiVersion: 'a.com/v1', kind: 'Foo', metadata: { name: 'one' } };
  expect((await request('POST', '/apis/a.com/v1/namespaces/default/foos', { body: object })).status).toBe(201);
  await patch(definition, { spec: specOf('v2', 'v1') });
  await patch(`${definition}/status`, { status: { storedVersions: ['v2'] } });
  await patch(definition, { spec: specOf('v2') });
  expect((await request('DELETE', definition, { body: {} })).status).toBe(200);
  const remaining = JSON.parse(String((await request('GET', definition)).body));
  expect(remaining.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
  expect(remaining.status.conditions[2]).toMatchObject({
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionFailed',
    message:
      'could not list instances: storage is (re)initializing: failed to list a.com/v2, Kind=Foo: ' +
      'request to convert CR from an invalid group/version: a.com/v1',
  });
  await patch(definition, { metadata: { labels: { a: 'b' } } });
  expect((await request('GET', definition)).status).toBe(200);
  await patch(definition, { spec: specOf('v2', 'v1') });
  expect((await request('GET', definition)).status).toBe(404);
});
