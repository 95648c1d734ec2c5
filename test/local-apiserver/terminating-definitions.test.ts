import { expect, it } from 'vitest';
import { apiServers } from '../support/server.js';
import { fooDefinition } from './support/foo-definition.js';
import { newServedCluster } from './support/served-cluster.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const why = 'foos.a.com "one" is forbidden: create not allowed while custom resource definition is terminating';

/** As kube-apiserver v1.36.3 and v1.37.2: the definition's own finalizer is done, but another one remains. */
it.each([
  ['v1.36', 201, undefined],
  ['v1.37', 403, why],
] as const)(
  '%s answers the creation of an object whose deleted definition is kept by a finalizer with %i',
  async (minor, status, message) => {
    const { request } = newServedCluster([], apiServers({ minor }));
    const definition = fooDefinition();
    const metadata = { ...(definition as { metadata: object }).metadata, finalizers: ['example.com/kept'] };
    expect((await request('POST', definitions, { body: { ...definition, metadata } })).status).toBe(201);
    expect((await request('DELETE', `${definitions}/foos.a.com`, { body: '' })).status).toBe(200);
    const isFinal = async (): Promise<boolean> =>
      String((await request('GET', `${definitions}/foos.a.com`)).body).includes('InstanceDeletionCompleted');
    await expect.poll(isFinal).toBe(true);
    const body = { apiVersion: 'a.com/v1', kind: 'Foo', metadata: { name: 'one' } };
    const reply = await request('POST', '/apis/a.com/v1/namespaces/default/foos', { body });
    expect([reply.status, JSON.parse(String(reply.body)).message]).toEqual([status, message]);
  },
);
