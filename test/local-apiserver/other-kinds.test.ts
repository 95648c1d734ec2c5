import { expect, it } from 'vitest';
import type { KubernetesMinor } from '../../src/kubernetes/kubernetes-version.js';
import { apiServers } from '../support/server.js';
import { convertingCluster, define, definitionsPath, mergePatch, read, usableBundle } from './support/boats.js';
import type { ServedCluster } from './support/served-cluster.js';
import { startWatch } from './support/start-watch.js';

const definition = `${definitionsPath}/boats.sea.example.com`;
const boats = '/apis/sea.example.com/v1/namespaces/default/boats';
const mustBeShip = 'Boat.sea.example.com "a" is invalid: kind: Invalid value: "Boat": must be Ship';

/** A cluster with boats `a` and `b` from before their definition was made again, with the kind Ship. */
async function clusterWithShips(minor: KubernetesMinor, flags: readonly string[] = []): Promise<ServedCluster> {
  const cluster = convertingCluster(apiServers({ minor }), () => false, flags);
  const { request } = cluster;
  await define(cluster, { caBundle: usableBundle });
  for (const name of ['a', 'b']) {
    const body = { apiVersion: 'sea.example.com/v1', kind: 'Boat', metadata: { name }, spec: { size: 1 } };
    expect((await request('POST', boats, { body })).status).toBe(201);
  }
  // Objects that cannot be converted are not deleted.
  const versions = ['v1', 'v2'].map(name => ({
    name,
    served: true,
    storage: name === 'v2',
    schema: { openAPIV3Schema: { type: 'object' } },
  }));
  await request('PATCH', definition, { body: { spec: { versions } }, headers: mergePatch });
  await request('DELETE', definition, { body: {} });
  await request('PATCH', definition, { body: { metadata: { finalizers: null } }, headers: mergePatch });
  expect((await request('GET', definition)).status).toBe(404);
  await define(cluster, { kind: 'Ship' });
  return cluster;
}

async function listed(cluster: ServedCluster, query = ''): Promise<string[]> {
  const { body } = await read(cluster, `${boats}${query}`);
  return body.items.map((item: { kind: string; metadata: { name: string } }) => `${item.kind} ${item.metadata.name}`);
}

/** As kube-apiserver v1.36.3 and v1.37.2 answer. */
it.each<[KubernetesMinor, string[], number]>([
  ['v1.36', [], 404],
  ['v1.37', ['Boat a', 'Boat b'], 200],
])('objects of another kind are stored, but in %s no watch cache has them', async (version, inCache, status) => {
  const cluster = await clusterWithShips(version);
  const { request } = cluster;
  expect(await listed(cluster)).toEqual(inCache);
  expect(await listed(cluster, '?resourceVersion=0')).toEqual(inCache);
  expect((await read(cluster, `${boats}/a`)).body.kind).toBe('Boat');
  expect((await read(cluster, `${boats}/a?resourceVersion=0`)).status).toBe(status);
  const body = { apiVersion: 'sea.example.com/v1', kind: 'Ship', metadata: { name: 'a' } };
  expect((await request('POST', boats, { body })).status).toBe(409);
  await request('DELETE', boats, { body: {} });
  expect((await read(cluster, `${boats}/a`)).status).toBe(inCache.length === 0 ? 200 : 404);
});

it('without watch caches, lists have objects of another kind', async () => {
  const cluster = await clusterWithShips('v1.36', ['--watch-cache=false']);
  expect(await listed(cluster)).toEqual(['Boat a', 'Boat b']);
});

it.each<KubernetesMinor>(['v1.36', 'v1.37'])(
  'an object of another kind is updated and deleted with the kind that is served now, in %s',
  async version => {
    const cluster = await clusterWithShips(version);
    const { request } = cluster;
    const patch = async (body: object, type = 'merge-patch+json') => {
      const answer = await request('PATCH', `${boats}/a?fieldManager=m`, { body, headers: { 'content-type': `application/${type}` } });
      return JSON.parse(String(answer.body));
    };
    expect((await patch({ spec: { size: 2 } })).message).toBe(mustBeShip);
    expect((await patch({})).message).toBe(mustBeShip);
    const applied = { apiVersion: 'sea.example.com/v1', kind: 'Ship', metadata: { name: 'a' } };
    const type = 'sea.example.com/v1, Kind=Boat';
    expect((await patch(applied, 'apply-patch+yaml')).message).toBe(
      `failed to create typed live object (default/a; ${type}): no corresponding type for ${type}`,
    );
    const { stream } = await request('GET', `${boats}?watch=true`);
    const events: string[] = [];
    const stop = startWatch(stream, frame => events.push(Buffer.from(frame).toString('utf8')));
    const shipped = await patch({ kind: 'Ship', spec: { size: 2 } });
    expect([shipped.kind, shipped.metadata.generation]).toEqual(['Ship', 2]);
    expect(shipped.metadata.managedFields?.length).toBe(version === 'v1.36' ? undefined : 1);
    expect((await request('DELETE', `${boats}/b`, { body: {} })).status).toBe(200);
    await new Promise(resolve => setImmediate(resolve));
    stop?.();
    const seen = events.map(text => JSON.parse(text)).map(({ type: event, object }) => `${event} ${object.kind} ${object.metadata.name}`);
    const changes = ['MODIFIED Ship a', 'DELETED Boat b'];
    expect(seen).toEqual(version === 'v1.36' ? ['ADDED Ship a'] : ['ADDED Boat a', 'ADDED Boat b', ...changes]);
  },
);

it('the objects of another kind are kept when the server restarts', async () => {
  const { cluster } = await clusterWithShips('v1.37');
  const { collections } = cluster.store.contents();
  expect(collections.get('sea.example.com/boats')).toHaveLength(2);
  const { cluster: other, ...rest } = convertingCluster(apiServers({ minor: 'v1.37' }), () => true);
  other.store.restore(cluster.store.contents());
  expect(await listed({ cluster: other, ...rest })).toEqual(['Boat a', 'Boat b']);
});
