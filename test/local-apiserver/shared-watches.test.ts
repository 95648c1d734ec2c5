import { describe, expect, it } from 'vitest';
import { toValue, type ValueMap } from '../../src/go/value.js';
import { newAudiences } from '../../src/local-apiserver/store/audiences.js';
import { newStore } from '../../src/local-apiserver/store/store.js';
import { newServedCluster, type ServedCluster } from './support/served-cluster.js';
import { startWatch } from './support/start-watch.js';

const configMaps = '/api/v1/namespaces/default/configmaps';

/** A watch, and the events that it has got: `TYPE name data`. */
async function watch({ request, cluster }: ServedCluster, query = ''): Promise<{ readonly events: string[]; readonly stop: () => void }> {
  const events: string[] = [];
  const { stream } = await request('GET', `${configMaps}?watch=true&resourceVersion=${cluster.store.revision()}${query}`);
  const stop = startWatch(stream, frame => {
    const { type, object } = JSON.parse(Buffer.from(frame).toString('utf8'));
    events.push(`${type} ${object.metadata.name} ${object.data?.at ?? ''}`);
  });
  return { events, stop: stop as () => void };
}

async function create({ request }: ServedCluster, name: string, labels: object = {}): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data: { at: '0' } };
  expect((await request('POST', configMaps, { body })).status).toBe(201);
}

async function change({ request }: ServedCluster, name: string, patch: object): Promise<void> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  expect((await request('PATCH', `${configMaps}/${name}`, { body: patch, headers })).status).toBe(200);
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('watches that show the same events', () => {
  it('get the changes after their start, in order, until they stop', async () => {
    const cluster = newServedCluster();
    await create(cluster, 'a');
    const first = await watch(cluster);
    await change(cluster, 'a', { data: { at: '1' } });
    // The event of this change is not sent yet.
    const second = await watch(cluster);
    await change(cluster, 'a', { data: { at: '2' } });
    await change(cluster, 'a', { data: { at: '3' } });
    await turn();
    first.stop();
    await change(cluster, 'a', { data: { at: '4' } });
    await turn();
    second.stop();
    const third = await watch(cluster);
    await change(cluster, 'a', { data: { at: '5' } });
    await turn();
    third.stop();
    expect(first.events).toEqual(['MODIFIED a 1', 'MODIFIED a 2', 'MODIFIED a 3']);
    expect(second.events).toEqual(['MODIFIED a 2', 'MODIFIED a 3', 'MODIFIED a 4']);
    expect(third.events).toEqual(['MODIFIED a 5']);
  });

  it('are those with the same selectors', async () => {
    const cluster = newServedCluster();
    const watches = await Promise.all(
      ['', '&labelSelector=app%3Dx', '&labelSelector=app%3Dy', '&fieldSelector=metadata.name%3Dn'].map(query => watch(cluster, query)),
    );
    await create(cluster, 'n', { app: 'x' });
    await change(cluster, 'n', { metadata: { labels: { app: 'y' } } });
    await turn();
    for (const { stop } of watches) stop();
    expect(watches.map(({ events }) => events)).toEqual([
      ['ADDED n 0', 'MODIFIED n 0'],
      ['ADDED n 0', 'DELETED n 0'],
      ['ADDED n 0'],
      ['ADDED n 0', 'MODIFIED n 0'],
    ]);
  });

  it('get the existing objects before later changes', async () => {
    const cluster = newServedCluster();
    await create(cluster, 'a');
    await create(cluster, 'b');
    const other = await watch(cluster);
    const { stream } = await cluster.request('GET', `${configMaps}?watch=true`);
    const events: string[] = [];
    const stop = startWatch(stream, frame => events.push(JSON.parse(Buffer.from(frame).toString('utf8')).type));
    await change(cluster, 'a', { data: { at: '1' } });
    await turn();
    stop?.();
    other.stop();
    expect(events.slice(-3)).toEqual(['ADDED', 'ADDED', 'MODIFIED']);
    expect(other.events).toEqual(['MODIFIED a 1']);
  });

  it('are told when the events of all changes are sent', async () => {
    const store = newStore(Date.now);
    let encode: (frame: string) => void = () => undefined;
    const eventOf = (): Promise<string> => new Promise(resolve => (encode = resolve));
    const shown = { collection: '/ConfigMap', eventOf, errorFrame: (error: string) => error };
    const audience = newAudiences(store).audienceFor('all', [], () => shown);
    const seen: string[] = [];
    const leave = audience.join({ after: 0, send: frames => seen.push(...frames.map(String)), end: () => seen.push('end') });
    store.create(toValue({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } }) as ValueMap);
    audience.afterChanges(() => seen.push('done'));
    await turn();
    expect(seen).toEqual([]);
    encode('event');
    await turn();
    leave();
    expect(seen).toEqual(['event', 'done']);
  });

  it('end with an error when an event cannot be encoded', async () => {
    const store = newStore(Date.now);
    const eventOf = (): Promise<string> => Promise.reject(new Error('no webhook'));
    const audience = newAudiences(store).audienceFor('all', [], () => ({
      collection: '/ConfigMap',
      eventOf,
      errorFrame: error => `ERROR ${error}`,
    }));
    const seen: string[] = [];
    audience.join({ after: 0, send: frames => seen.push(...frames.map(String)), end: () => seen.push('end') });
    store.create(toValue({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } }) as ValueMap);
    await turn();
    expect(seen).toEqual(['ERROR no webhook', 'end']);
  });
});
