import { describe, expect, it } from 'vitest';
import { apiServers } from '../support/server.js';
import {
  conditionsOf,
  convertingCluster,
  define,
  definitionsPath,
  group,
  mergePatch,
  read,
  specOf,
  usableBundle,
} from './support/boats.js';
import { newServedCluster, type ServedCluster } from './support/served-cluster.js';
import { startWatch } from './support/start-watch.js';

const at = (version: string) => `/apis/${group}/${version}/namespaces/default/boats`;
const definition = `${definitionsPath}/boats.${group}`;
const refused = 'Post "https://127.0.0.1:1/convert?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused';
const failed = `conversion webhook for ${group}/v1, Kind=Boat failed: ${refused}`;

async function createBoat({ request }: ServedCluster): Promise<void> {
  const body = { apiVersion: `${group}/v1`, kind: 'Boat', metadata: { name: 'a' }, spec: { size: 1 } };
  expect((await request('POST', at('v1'), { body })).status).toBe(201);
}

async function changeStorage({ request }: ServedCluster, caBundle?: string): Promise<void> {
  const body = { spec: specOf({ storage: 'v2', ...(caBundle === undefined ? {} : { caBundle }) }) };
  expect((await request('PATCH', definition, { body, headers: mergePatch })).status).toBe(200);
}

async function touch({ request }: ServedCluster): Promise<string> {
  const { body } = await request('PATCH', `${at('v1')}/a`, { body: {}, headers: mergePatch });
  return JSON.parse(String(body)).metadata.resourceVersion;
}

/** As kube-apiserver v1.36.3 and v1.37.2 answer. */
describe('an update that changes nothing', () => {
  it('writes an object of an older storage version once', async () => {
    const cluster = newServedCluster();
    await define(cluster);
    await createBoat(cluster);
    const before = await touch(cluster);
    expect(await touch(cluster)).toBe(before);
    await changeStorage(cluster);
    const after = await touch(cluster);
    expect(Number(after)).toBeGreaterThan(Number(before));
    expect(await touch(cluster)).toBe(after);
  });
});

/** What storage says of the object in a list, by minor. */
const corrupt = `StorageError: corrupt object, Code: 7, Key: /registry/${group}/boats/default/a, ResourceVersion: 0`;
const listFailures = [
  ['v1.36', `failed to list ${group}/v2, Kind=Boat: ${failed}`],
  [
    'v1.37',
    `failed to list <unspecified>: failed to read one or more boats.${group} from the storage: ${corrupt}, AdditionalErrorMsg: object not decodable revision=N: ${failed}`,
  ],
] as const;
const withoutRevision = (text: string): string => text.replace(/revision=\d+/, 'revision=N');

describe.each(listFailures)('while a conversion webhook is down, %s', (minor, why) => {
  const isUp = (): boolean => false;
  const down = () => convertingCluster(apiServers({ minor }), isUp);

  it('refuses watches and lists with the reason', async () => {
    const cluster = down();
    await define(cluster);
    await createBoat(cluster);
    await changeStorage(cluster, usableBundle);
    for (const query of ['?watch=1', '', '?resourceVersion=0']) {
      const { status, body } = await read(cluster, `${at('v2')}${query}`);
      expect([status, withoutRevision(body.message)]).toEqual([429, `storage is (re)initializing: ${why}`]);
    }
    expect((await read(cluster, `${at('v2')}?limit=500`)).status).toBe(500);
    expect((await read(cluster, at('v1'))).status).toBe(200);
  });

  it('reads the collection that a DELETE is for in pages, from storage', async () => {
    const cluster = down();
    await define(cluster);
    await createBoat(cluster);
    await changeStorage(cluster, usableBundle);
    const remove = async (query: string) => (await cluster.request('DELETE', `${at('v2')}${query}`, { body: {} })).status;
    expect([await remove(''), await remove('?resourceVersion=0'), await remove('?labelSelector=a%3Db')]).toEqual([500, 500, 429]);
  });

  it('keeps a deleted definition, whose objects come back with the next one of its name', async () => {
    const cluster = down();
    await define(cluster);
    await createBoat(cluster);
    await changeStorage(cluster, usableBundle);
    await cluster.request('DELETE', definition, { body: {} });
    const [, , terminating = ''] = await conditionsOf(cluster);
    expect(withoutRevision(terminating)).toMatch(/^Terminating=True InstanceDeletion(?:Failed|InProgress)/);
    await cluster.request('PATCH', definition, { body: { metadata: { finalizers: null } }, headers: mergePatch });
    expect((await read(cluster, definition)).status).toBe(404);
    await define(cluster);
    expect((await read(cluster, at('v1'))).body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['a']);
  });
});

/** As kube-apiserver v1.36.3 and v1.37.2, which end the watch a second later. */
describe('a watch of converted objects', () => {
  it('shows those that are deleted with their definition', async () => {
    const cluster = convertingCluster(apiServers({ minor: 'v1.37' }), () => true);
    await define(cluster);
    await createBoat(cluster);
    await changeStorage(cluster, usableBundle);
    expect((await read(cluster, at('v2'))).status).toBe(200);
    const { stream } = await cluster.request('GET', `${at('v2')}?watch=1`);
    const types: string[] = [];
    const isOver = new Promise<void>(resolve => {
      startWatch(
        stream,
        frame => types.push(JSON.parse(String(frame)).type),
        () => resolve(),
      );
    });
    await cluster.request('DELETE', definition, { body: {} });
    await isOver;
    expect(types).toEqual(['ADDED', 'DELETED']);
  });
});
