import { describe, expect, it } from 'vitest';
import { discovered } from '../../src/local-apiserver/discovery/served-groups.js';
import { newServedCluster, type ServedCluster } from './support/served-cluster.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function define({ request }: ServedCluster, plural: string, kind: string, names: object = {}): Promise<void> {
  const openAPIV3Schema = { type: 'object' };
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.a.com` },
    spec: {
      group: 'a.com',
      scope: 'Namespaced',
      names: { plural, kind, ...names },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
  expect((await request('POST', definitions, { body })).status).toBe(201);
}

async function read({ request }: ServedCluster, path: string) {
  const { status, body } = await request('GET', path);
  return { status, body: status === 404 ? undefined : JSON.parse(String(body)) };
}

async function statusOf(cluster: ServedCluster, plural: string) {
  const { acceptedNames, conditions } = (await read(cluster, `${definitions}/${plural}.a.com`)).body.status;
  const [first] = conditions.map(({ reason, message }: { reason: string; message: string }) => ({ reason, message }));
  return { acceptedNames, first };
}

/** As kube-apiserver v1.36.3 answers. */
describe('the names of definitions in a group', () => {
  it('are accepted one by one, and the last conflict is told', async () => {
    const cluster = newServedCluster();
    await define(cluster, 'foos', 'Foo');
    await define(cluster, 'bars', 'Bar', { shortNames: ['b'] });
    await define(cluster, 'bazs', 'Baz', { shortNames: ['b', 'bz', 'foo'], categories: ['c'] });
    await define(cluster, 'foobars', 'Foo', { categories: ['c'] });
    expect(await statusOf(cluster, 'bazs')).toEqual({
      acceptedNames: { categories: ['c'], kind: 'Baz', listKind: 'BazList', plural: 'bazs', singular: 'baz' },
      first: { reason: 'ShortNamesConflict', message: '["b" is already in use, "foo" is already in use]' },
    });
    expect(await statusOf(cluster, 'foobars')).toEqual({
      acceptedNames: { categories: ['c'], kind: '', plural: 'foobars' },
      first: { reason: 'ListKindConflict', message: '"FooList" is already in use' },
    });
  });

  it('are not served while they conflict', async () => {
    const cluster = newServedCluster();
    await define(cluster, 'foos', 'Foo');
    await define(cluster, 'foobars', 'Foo');
    const served = () =>
      discovered(cluster.cluster.state())
        .resourcesOf('a.com', 'v1')
        .map(({ resource }) => resource.resource);
    expect(served()).toEqual(['foos']);
    expect((await read(cluster, '/apis/a.com/v1/foobars')).status).toBe(404);
    await cluster.request('DELETE', `${definitions}/foos.a.com`, { body: {} });
    expect(served()).toEqual(['foobars']);
    expect((await read(cluster, '/apis/a.com/v1/foobars')).status).toBe(200);
  });

  it('of a deleted definition that was never established do not delete the objects of another', async () => {
    const cluster = newServedCluster();
    await define(cluster, 'foos', 'Foo');
    await define(cluster, 'foobars', 'Foo');
    const path = '/apis/a.com/v1/namespaces/default/foos';
    await cluster.request('POST', path, { body: { apiVersion: 'a.com/v1', kind: 'Foo', metadata: { name: 'x' } } });
    await cluster.request('DELETE', `${definitions}/foobars.a.com`, { body: {} });
    expect((await read(cluster, `${definitions}/foobars.a.com`)).status).toBe(404);
    expect((await read(cluster, `${path}/x`)).status).toBe(200);
  });
});

it('a deleted definition tells that the deletion of its objects is in progress', async () => {
  const cluster = newServedCluster();
  await define(cluster, 'foos', 'Foo');
  const path = '/apis/a.com/v1/namespaces/default/foos';
  const metadata = { name: 'x', finalizers: ['a.com/f'] };
  await cluster.request('POST', path, { body: { apiVersion: 'a.com/v1', kind: 'Foo', metadata } });
  const { body } = await cluster.request('DELETE', `${definitions}/foos.a.com`, { body: {} });
  expect(JSON.parse(String(body)).status.conditions[2].reason).toBe('InstanceDeletionPending');
  const kept = (await read(cluster, `${definitions}/foos.a.com`)).body.status.conditions[2];
  expect(kept).toMatchObject({
    type: 'Terminating',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  });
  await cluster.request('PATCH', `${path}/x`, {
    body: { metadata: { finalizers: null } },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  expect((await read(cluster, `${definitions}/foos.a.com`)).status).toBe(404);
});
