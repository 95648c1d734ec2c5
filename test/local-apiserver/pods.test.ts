import { describe, expect, it } from 'vitest';
import { newServedCluster } from './support/served-cluster.js';
import { startWatch } from './support/start-watch.js';

const pod = (name: string, nodeName?: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { nodeName, containers: [{ name: 'c', image: 'i' }] },
});
const pods = '/api/v1/namespaces/default/pods';
const withoutAccounts = ['--disable-admission-plugins=ServiceAccount'];

describe('streams of pods', () => {
  it.each([
    ['without a node', undefined, [400, 'pod p does not have a host assigned'], [204, undefined]],
    ['on a node that does not exist', 'ghost', [404, 'pods "ghost" not found'], [404, 'pods "ghost" not found']],
    [
      'on a node without addresses',
      'bare',
      [500, 'no preferred addresses found; known addresses: []'],
      [500, 'no preferred addresses found; known addresses: []'],
    ],
  ])('%s', async (_, node, ofExec, ofLog) => {
    const { request } = newServedCluster(withoutAccounts);
    await request('POST', '/api/v1/nodes', { body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'bare' } } });
    await request('POST', pods, { body: pod('p', node) });
    const answered = async (method: string, path: string): Promise<unknown[]> => {
      const { status, body } = await request(method, `${pods}/p/${path}`);
      return [status, /^\{/.test(String(body)) ? JSON.parse(String(body)).message : undefined];
    };
    expect(await answered('POST', 'exec?command=x')).toEqual(ofExec);
    expect(await answered('GET', 'log')).toEqual(ofLog);
  });
});

describe('the deletion of a pod without a node', () => {
  it('is shown by watches before the pod is removed', async () => {
    const { cluster, request } = newServedCluster(withoutAccounts);
    await request('POST', pods, { body: pod('p') });
    const { stream } = await request('GET', `${pods}?watch=true&resourceVersion=${cluster.store.revision()}`);
    const events: string[] = [];
    const stop = startWatch(stream, frame => events.push(JSON.parse(Buffer.from(frame).toString('utf8')).type));
    let eventsAtRemoval: readonly string[] = [];
    cluster.store.subscribe(({ collection, object }) => {
      if (collection === '/Pod' && object === undefined) eventsAtRemoval = [...events];
    });
    const { status } = await request('DELETE', `${pods}/p`, { body: {} });
    await new Promise(resolve => setImmediate(resolve));
    stop?.();
    expect([status, eventsAtRemoval, events]).toEqual([200, ['MODIFIED'], ['MODIFIED', 'DELETED']]);
  });

  it('removes it even if it is changed at the same time', async () => {
    const { cluster, request } = newServedCluster(withoutAccounts);
    await request('POST', pods, { body: pod('p') });
    const changed = new Promise(resolve => {
      const stop = cluster.store.subscribe(({ collection, object }) => {
        if (collection !== '/Pod' || object === undefined) return;
        stop();
        const body = { metadata: { labels: { a: 'b' } } };
        setImmediate(() => resolve(request('PATCH', `${pods}/p`, { body, headers: { 'content-type': 'application/merge-patch+json' } })));
      });
    });
    expect((await request('DELETE', `${pods}/p`, { body: {} })).status).toBe(200);
    await changed;
    expect((await request('GET', `${pods}/p`)).status).toBe(404);
  });
});
