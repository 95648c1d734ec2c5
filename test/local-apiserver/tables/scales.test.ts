import { expect, it } from 'vitest';
import { newServedCluster } from '../support/served-cluster.js';

const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const boats = '/apis/example.com/v1/namespaces/default/boats';
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
  },
};
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Boat', plural: 'boats' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** As kube-apiserver v1.35.4, v1.36.3 and v1.37.2 print them. */
it.each([
  [`${deployments}/d`, deployments, deployment, 2, ['string ', 'integer ', 'integer ', 'string ']],
  [
    `${boats}/b`,
    boats,
    { apiVersion: 'example.com/v1', kind: 'Boat', metadata: { name: 'b' }, spec: { replicas: 2 } },
    2,
    ['string name', 'integer ', 'integer ', 'date '],
  ],
])('the Scale of %s is a Table', async (path, collection, object, replicas, types) => {
  const { request } = newServedCluster();
  await request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
  await request('POST', collection, { body: object });
  // biome-ignore lint/suspicious/noExplicitAny: several kinds
  const send = async (method: string, body?: object, contentType = 'application/json', accept = table): Promise<any> =>
    JSON.parse(
      String((await request(method, `${path}/scale`, { ...(body && { body }), headers: { accept, 'content-type': contentType } })).body),
    );
  const found = await send('GET');
  expect(found.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(['Name', 'Desired', 'Available', 'Age']);
  expect(found.columnDefinitions.map(({ type, format }: { type: string; format: string }) => `${type} ${format}`)).toEqual(types);
  const name = path.slice(-1);
  expect(found.rows).toMatchObject([
    { cells: [name, replicas, 0, expect.any(String)], object: { kind: 'PartialObjectMetadata', metadata: { name } } },
  ]);
  const patched = await send('PATCH', { spec: { replicas: 4 } }, 'application/merge-patch+json');
  expect(patched.rows[0].cells.slice(0, 3)).toEqual([name, 4, 0]);
  const partial = await send('GET', undefined, 'application/json', 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1');
  expect(partial).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name } });
});
