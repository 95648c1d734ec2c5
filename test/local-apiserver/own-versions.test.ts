import { expect, it } from 'vitest';
import { newServedCluster } from './support/served-cluster.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const merge = { 'content-type': 'application/merge-patch+json' };
const apply = { 'content-type': 'application/apply-patch+yaml' };

function definitionOf(spec1: object, spec2: object, storage: 'v1' | 'v2'): object {
  const version = (name: string, spec: object): object => ({
    name,
    served: true,
    storage: name === storage,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.a.com' },
    spec: {
      group: 'a.com',
      scope: 'Cluster',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [version('v1', spec1), version('v2', spec2)],
    },
  };
}

/** As kube-apiserver v1.37.2. */
it('an object that is stored in the former storage version has the defaults of that version', async () => {
  const { request } = newServedCluster();
  const size = { type: 'integer' };
  const [v1, v2] = [
    { type: 'object', properties: { size } },
    { type: 'object', properties: { size, name: { type: 'string', default: 'x' } } },
  ];
  await request('POST', definitions, { body: definitionOf(v1, v2, 'v2') });
  const object = { apiVersion: 'a.com/v1', kind: 'Foo', metadata: { name: 'one' }, spec: { size: 4 } };
  expect((await request('POST', '/apis/a.com/v1/foos', { body: object })).status).toBe(201);
  const spec = (definitionOf(v1, v2, 'v1') as { spec: object }).spec;
  expect((await request('PATCH', `${definitions}/foos.a.com`, { body: { spec }, headers: merge })).status).toBe(200);
  const read = JSON.parse(String((await request('GET', '/apis/a.com/v2/foos/one')).body));
  expect(read.spec).toEqual({ size: 4, name: 'x' });
});

/** As kube-apiserver v1.37.2. */
it('an apply after one in a version without a field says that its fields cannot be pruned', async () => {
  const { request } = newServedCluster();
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const closed = { type: 'object', properties: { size: { type: 'integer' } } };
  await request('POST', definitions, { body: definitionOf(open, closed, 'v2') });
  const applied = (version: string, spec: object): ReturnType<typeof request> =>
    request('PATCH', `/apis/a.com/${version}/foos/one?fieldManager=m`, {
      body: { apiVersion: `a.com/${version}`, kind: 'Foo', metadata: { name: 'one' }, spec },
      headers: apply,
    });
  expect((await applied('v2', {})).status).toBe(201);
  const answer = await applied('v1', { size: 1, other: 'y' });
  expect(answer.status).toBe(500);
  expect(JSON.parse(String(answer.body)).message).toBe(
    'failed to prune fields: failed to convert merged object to last applied version: .spec.other: field not declared in schema',
  );
});
