import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { allowWithoutSending } from '../../src/client/run/allowing-webhook.js';
import { serverWith } from '../support/server.js';
import { mergePatch } from './support/boats.js';
import { newServedCluster, type ServedCluster } from './support/served-cluster.js';

const addresses = '/apis/networking.k8s.io/v1/ipaddresses';
const services = '/api/v1/namespaces/default/services';
const managed = { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io', 'ipaddress.kubernetes.io/ip-family': 'IPv4' };
const ofService = { resource: 'services', namespace: 'default', name: 'a' };

let served: ServedCluster;
let time: number;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  time = Date.parse('2026-01-01T00:00:00Z');
  served = newServedCluster([], serverWith([]), () => ({ ...effectsFor(allowWithoutSending), now: () => new Date(time) }));
  const spec = { ports: [{ port: 80 }], clusterIP: '10.0.0.77' };
  await send('POST', services, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec });
  pass(1000);
});
afterEach(() => {
  vi.useRealTimers();
});

function pass(ms: number): void {
  time += ms;
  vi.advanceTimersByTime(ms);
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of several kinds
async function send(method: string, path: string, body: object = {}, headers = {}): Promise<any> {
  return JSON.parse(String((await served.request(method, path, { body, headers })).body));
}

const change = (value: string): Promise<unknown> => send('PATCH', `${services}/a`, { metadata: { labels: { x: value } } }, mergePatch);

async function write(name: string, parentRef: object, labels: object | undefined): Promise<void> {
  await send('POST', addresses, { apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress', metadata: { name, labels }, spec: { parentRef } });
}

async function names(): Promise<string[]> {
  return (await send('GET', addresses)).items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

/** Recorded from kube-apiserver v1.36.3, as the other tests of this file. */
it('of a service is created again with the next change of the service, or after three minutes', async () => {
  await send('DELETE', `${addresses}/10.0.0.77`);
  expect(await names()).toEqual(['10.0.0.1']);
  await change('y');
  expect(await names()).toEqual(['10.0.0.1', '10.0.0.77']);
  await send('DELETE', `${addresses}/10.0.0.77`);
  pass(180_000);
  expect(await names()).toEqual(['10.0.0.1', '10.0.0.77']);
});

it('is removed if it is labelled as that of a service and is not', async () => {
  await write('10.0.1.1', { ...ofService, resource: 'pods' }, managed);
  await write('10.0.1.2', { ...ofService, resource: 'pods' }, undefined);
  await write('10.0.1.3', { ...ofService, name: 'gone' }, managed);
  await write('10.0.1.4', ofService, managed);
  await write('10.0.1.5', ofService, undefined);
  const kept = ['10.0.0.1', '10.0.0.77', '10.0.1.2', '10.0.1.5'];
  pass(4000);
  expect(await names()).toEqual([...kept, '10.0.1.3', '10.0.1.4'].sort());
  pass(1000);
  expect(await names()).toEqual([...kept, '10.0.1.3'].sort());
  pass(55_000);
  expect(await names()).toEqual(kept);
});

it.each([
  ['labels', ofService, undefined],
  ['a service that exists', { ...ofService, name: 'gone' }, managed],
])('of a service is replaced if it has not %s', async (_, parentRef, labels) => {
  await send('DELETE', `${addresses}/10.0.0.77`);
  await write('10.0.0.77', parentRef, labels);
  await change('z');
  expect(await send('GET', `${addresses}/10.0.0.77`)).toMatchObject({
    metadata: { labels: managed, managedFields: [{ manager: 'kube-apiserver' }] },
    spec: { parentRef: ofService },
  });
});
