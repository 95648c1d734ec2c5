import { expect, it } from 'vitest';
import { fooDefinition } from './support/foo-definition.js';
import { newServedCluster } from './support/served-cluster.js';

/** As kube-apiserver v1.36.3 answers: only lists and watches go across namespaces. */
it('does not create or delete custom resources of namespaces without a namespace', async () => {
  const { request } = newServedCluster();
  const definition = await request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: fooDefinition() });
  expect(definition.status).toBe(201);
  const body = { apiVersion: 'a.com/v1', kind: 'Foo', metadata: { name: 'one' } };
  expect((await request('POST', '/apis/a.com/v1/namespaces/default/foos', { body })).status).toBe(201);
  for (const [method, path] of [
    ['POST', 'foos'],
    ['PUT', 'foos'],
    ['DELETE', 'foos'],
    ['GET', 'foos/one'],
    ['DELETE', 'foos/one'],
  ] as const) {
    const reply = await request(method, `/apis/a.com/v1/${path}`, { body });
    expect([reply.status, String(reply.body)]).toEqual([404, '404 page not found\n']);
  }
  const list = await request('GET', '/apis/a.com/v1/foos');
  expect(JSON.parse(String(list.body)).items).toHaveLength(1);
});
