import { beforeAll, describe, expect, it } from 'vitest';
import { newServedCluster } from './support/served-cluster.js';

const { request } = newServedCluster();
const kinds = { configmaps: 'ConfigMap', events: 'Event' } as const;
const names = ['a', 'b', 'c'];

beforeAll(async () => {
  for (const [resource, kind] of Object.entries(kinds))
    for (const name of names) {
      const body = {
        apiVersion: 'v1',
        kind,
        metadata: { name },
        ...(kind === 'Event' ? { involvedObject: { namespace: 'default' } } : {}),
      };
      expect((await request('POST', `/api/v1/namespaces/default/${resource}`, { body })).status).toBe(201);
    }
});

async function send(path: string, method = 'GET') {
  const { status, body } = await request(method, `/api/v1/namespaces/default/${path}`);
  const { items = [], message, details } = JSON.parse(String(body));
  return { status, names: items.map((item: { metadata: { name: string } }) => item.metadata.name), message, details };
}

// As kube-apiserver v1.36.3, which has no watch cache of events.
describe('a list of a revision', () => {
  it('with resourceVersion=0 ignores the limit, except for a resource without a watch cache', async () => {
    expect((await send('configmaps?resourceVersion=0&limit=1')).names).toEqual(names);
    expect((await send('events?resourceVersion=0&limit=1')).names).toEqual(['a']);
  });

  it.each(Object.keys(kinds))('with a limit has the %s of that revision', async resource => {
    expect((await send(`${resource}?resourceVersion=1`)).names).toEqual(names);
    expect((await send(`${resource}?resourceVersion=1&limit=1`)).names).toEqual([]);
    expect((await send(`${resource}?resourceVersion=1&limit=1&resourceVersionMatch=NotOlderThan`)).names).toEqual(['a']);
    expect((await send(`${resource}?resourceVersion=1&dryRun=All`, 'DELETE')).names).toEqual([]);
  });

  it('in the future is rejected without waiting if the resource has no watch cache', async () => {
    const { status, message, details } = await send('events?resourceVersion=999999999');
    expect([status, message]).toEqual([504, expect.stringMatching(/^Timeout: Too large resource version: 999999999, current: \d+$/)]);
    expect(details).toEqual({ causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] });
  });
});

it.each([
  ['events', 400, 'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax'],
  ['configmaps', 500, 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax'],
])('a read of one of the %s at no revision is answered by what would read it', async (resource, status, message) => {
  expect(await send(`${resource}/a?resourceVersion=x`)).toMatchObject({ status, message });
});
