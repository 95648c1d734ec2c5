import { expect, it } from 'vitest';
import { define, definitionsPath, mergePatch, specOf } from './support/boats.js';
import { newServedCluster } from './support/served-cluster.js';
import { startWatch } from './support/start-watch.js';

const definition = `${definitionsPath}/boats.sea.example.com`;
const boats = '/apis/sea.example.com/v1/namespaces/default/boats';

/** Makes a call, and returns what a watch that was open before sends until it ends, or until a boat is created and sent. */
async function watchedDuring(method: string, body: object): Promise<string[]> {
  const cluster = newServedCluster();
  const { request } = cluster;
  await define(cluster);
  const { stream } = await request('GET', `${boats}?watch=true`);
  const events: string[] = [];
  const isOver = new Promise<void>(resolve => {
    startWatch(
      stream,
      frame => {
        events.push(JSON.parse(Buffer.from(frame).toString('utf8')).type);
        resolve();
      },
      () => {
        events.push('end');
        resolve();
      },
    );
  });
  expect((await request(method, definition, { body, ...(method === 'PATCH' ? { headers: mergePatch } : {}) })).status).toBe(200);
  if ('metadata' in body)
    await request('POST', boats, { body: { apiVersion: 'sea.example.com/v1', kind: 'Boat', metadata: { name: 'a' } } });
  await isOver;
  return events;
}

/** As kube-apiserver v1.36.3 and v1.37.2: a second after the change. */
it.concurrent.each([
  ['its storage version', 'PATCH', { spec: specOf({ storage: 'v2' }) }],
  ['its names', 'PATCH', { spec: { names: { shortNames: ['bo'] } } }],
  [
    'a schema',
    'PATCH',
    { spec: { versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }] } },
  ],
  ['its removal', 'DELETE', {}],
])('a change of a definition ends open watches without an error: %s', async (_, method, body) => {
  expect(await watchedDuring(method, body)).toEqual(['end']);
});

it('a change of labels keeps them open', async () => {
  expect(await watchedDuring('PATCH', { metadata: { labels: { a: 'b' } } })).toEqual(['ADDED']);
});
