import { describe, expect, it } from 'vitest';
import { mergePatch } from './support/boats.js';
import { newServedCluster } from './support/served-cluster.js';

const namespace = '/api/v1/namespaces/default';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

// biome-ignore lint/suspicious/noExplicitAny: bodies of several kinds
type Send = (method: string, path: string, body?: object, headers?: object) => Promise<{ code: number; body: any }>;

function newSender(): Send {
  const { request } = newServedCluster();
  return async (method, path, body = {}, headers = {}) => {
    const reply = await request(method, path, { body, headers: { ...headers } });
    return { code: reply.status, body: JSON.parse(String(reply.body)) };
  };
}

async function createRunningPod(send: Send, metadata: object): Promise<void> {
  const spec = { containers: [{ name: 'c', image: 'c' }] };
  await send('POST', `${namespace}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', ...metadata }, spec });
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  await send('PATCH', `${namespace}/pods/p/status`, { status }, mergePatch);
}

const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };

/** Recorded on kube-apiserver v1.36.3. */
describe('evictions', () => {
  it('take a disruption from the budget of their pod, unless they are dry runs', async () => {
    const send = newSender();
    await createRunningPod(send, { labels: { a: 'b' } });
    const spec = { minAvailable: 0, selector: { matchLabels: { a: 'b' } } };
    await send('POST', budgets, { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'b' }, spec });
    const status = { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 0, expectedPods: 1 };
    await send('PATCH', `${budgets}/b/status`, { status }, mergePatch);
    const dryRun = { ...eviction, deleteOptions: { dryRun: ['All'] } };
    expect((await send('POST', `${namespace}/pods/p/eviction`, dryRun)).code).toBe(201);
    expect((await send('GET', `${budgets}/b`)).body.status).toEqual(status);
    expect((await send('POST', `${namespace}/pods/p/eviction`, eviction)).code).toBe(201);
    expect((await send('GET', `${budgets}/b`)).body.status).toEqual({
      ...status,
      disruptionsAllowed: 0,
      disruptedPods: { p: expect.any(String) },
      conditions: [
        {
          ...{ type: 'DisruptionAllowed', status: 'False', observedGeneration: 1, lastTransitionTime: expect.any(String) },
          ...{ reason: 'InsufficientPods', message: '' },
        },
      ],
    });
  });

  it('give the pod a condition before they delete it, if their preconditions hold', async () => {
    const send = newSender();
    await createRunningPod(send, { finalizers: ['example.com/x'] });
    const evict = (deleteOptions: object) => send('POST', `${namespace}/pods/p/eviction`, { ...eviction, deleteOptions });
    const { metadata } = (await send('GET', `${namespace}/pods/p`)).body;
    for (const others of [{}, { dryRun: ['All'] }]) {
      const { code, body } = await evict({ preconditions: { uid: 'other' }, ...others });
      expect([code, body.message]).toEqual([
        409,
        `Operation cannot be fulfilled on Pod "p": the UID in the precondition (other) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
      ]);
    }
    const conditions = async (): Promise<unknown> => (await send('GET', `${namespace}/pods/p`)).body.status.conditions;
    const ready = { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null };
    expect(await conditions()).toEqual([ready]);
    expect((await evict({ preconditions: { resourceVersion: metadata.resourceVersion } })).code).toBe(201);
    const times = { lastProbeTime: null, lastTransitionTime: expect.any(String) };
    const reason = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };
    expect(await conditions()).toEqual([ready, { type: 'DisruptionTarget', status: 'True', ...times, ...reason }]);
    expect((await send('GET', `${namespace}/pods/p`)).body.metadata.deletionTimestamp).toBeDefined();
  });
});

it('a Binding gives its labels and annotations to the pod, with the zone and region of its node', async () => {
  const send = newSender();
  const labels = { 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r', 'topology.kubernetes.io/other': 'o' };
  await send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels } });
  await createRunningPod(send, { labels: { a: 'b' } });
  const conditions = [
    { type: 'PodScheduled', status: 'False', reason: 'x', message: 'm' },
    { type: 'Ready', status: 'False' },
  ];
  await send('PATCH', `${namespace}/pods/p/status`, { status: { nominatedNodeName: 'other', conditions } }, mergePatch);
  const metadata = { name: 'p', labels: { own: 'l' }, annotations: { an: 'no' } };
  const target = { kind: 'Node', name: 'n' };
  expect((await send('POST', `${namespace}/pods/p/binding`, { apiVersion: 'v1', kind: 'Binding', metadata, target })).code).toBe(201);
  const { body } = await send('GET', `${namespace}/pods/p`);
  expect(body.metadata).toMatchObject({
    labels: { a: 'b', own: 'l', 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r' },
    annotations: { an: 'no' },
  });
  expect(Object.keys(body.metadata.labels)).not.toContain('topology.kubernetes.io/other');
  expect(body.status.nominatedNodeName).toBeUndefined();
  expect(body.status.conditions).toEqual([
    { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: expect.any(String) },
    { type: 'Ready', status: 'False', lastProbeTime: null, lastTransitionTime: null },
  ]);
});
