import { expect, it } from 'vitest';
import { fooDefinition } from './support/foo-definition.js';
import { newServedCluster, type ServedCluster } from './support/served-cluster.js';
import { startWatch } from './support/start-watch.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const foos = '/apis/a.com/v1/namespaces/default/foos';

async function define({ request }: ServedCluster): Promise<void> {
  expect((await request('POST', definitions, { body: fooDefinition() })).status).toBe(201);
}

async function create({ request }: ServedCluster, name: string): Promise<number> {
  const { status, body } = await request('POST', foos, { body: { apiVersion: 'a.com/v1', kind: 'Foo', metadata: { name } } });
  expect(status).toBe(201);
  return Number(JSON.parse(String(body)).metadata.resourceVersion);
}

const patched = (cluster: ServedCluster, body: object): Promise<unknown> =>
  cluster.request('PATCH', `${definitions}/foos.a.com`, { body, headers: { 'content-type': 'application/merge-patch+json' } });

/** Types of the missed events, with the name of the object or the message of an error. */
async function missed({ request }: ServedCluster, revision: number, query = ''): Promise<string[]> {
  const { stream } = await request('GET', `${foos}?watch=1&resourceVersion=${revision}${query}`);
  const frames: string[] = [];
  const stop = startWatch(stream, frame => frames.push(String(frame)));
  await new Promise(resolve => setImmediate(resolve));
  stop?.();
  return frames.map(frame => {
    const { type, object } = JSON.parse(frame);
    return `${type} ${object.metadata.name ?? object.message}`;
  });
}

/** As kube-apiserver v1.36.3, whose watch caches of custom resources are created by the first request. */
it('a watch of custom resources knows the changes since the first request for them', async () => {
  const cluster = newServedCluster();
  await define(cluster);
  const first = await create(cluster, 'one');
  await create(cluster, 'two');
  expect(await missed(cluster, 1)).toEqual([`ERROR too old resource version: 1 (${first - 1})`]);
  expect(await missed(cluster, first - 2)).toEqual([`ERROR too old resource version: ${first - 2} (${first - 1})`]);
  expect(await missed(cluster, first - 1)).toEqual(['ADDED one', 'ADDED two']);
  expect(await missed(cluster, first)).toEqual(['ADDED two']);
});

it('a change of the definition makes the earlier changes unknown, unless it is one of its metadata', async () => {
  const cluster = newServedCluster();
  await define(cluster);
  const first = await create(cluster, 'one');
  await patched(cluster, { metadata: { labels: { a: 'b' } } });
  expect(await missed(cluster, first - 1)).toEqual(['ADDED one']);
  await patched(cluster, { spec: { names: { shortNames: ['f'] } } });
  const now = cluster.cluster.store.revision();
  expect(await missed(cluster, first - 1)).toEqual([`ERROR too old resource version: ${first - 1} (${now})`]);
  expect(await missed(cluster, now)).toEqual([]);
});

it('a watch from any resource version without the existing objects starts now', async () => {
  const cluster = newServedCluster();
  await define(cluster);
  await create(cluster, 'one');
  expect(await missed(cluster, 0, '&sendInitialEvents=false&resourceVersionMatch=NotOlderThan')).toEqual([]);
  expect(await missed(cluster, 0)).toEqual(['ADDED one']);
});
