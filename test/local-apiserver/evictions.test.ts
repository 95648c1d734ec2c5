import { expect, it } from 'vitest';
import { mergePatch } from './support/boats.js';
import { newServedCluster } from './support/served-cluster.js';

const namespace = '/api/v1/namespaces/default';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

it('take a disruption from the budget of their pod', async () => {
  const { request } = newServedCluster();
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several kinds
  const send = async (method: string, path: string, body: object = {}, headers = {}): Promise<{ code: number; body: any }> => {
    const reply = await request(method, path, { body, headers });
    return { code: reply.status, body: JSON.parse(String(reply.body)) };
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', labels: { a: 'b' } },
    spec: { containers: [{ name: 'c', image: 'c' }] },
  };
  await send('POST', `${namespace}/pods`, pod);
  await send(
    'PATCH',
    `${namespace}/pods/p/status`,
    { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
    mergePatch,
  );
  const spec = { minAvailable: 0, selector: { matchLabels: { a: 'b' } } };
  await send('POST', budgets, { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'b' }, spec });
  const status = { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 0, expectedPods: 1 };
  await send('PATCH', `${budgets}/b/status`, { status }, mergePatch);
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
  expect((await send('POST', `${namespace}/pods/p/eviction`, eviction)).code).toBe(201);
  expect((await send('GET', `${budgets}/b`)).body.status).toMatchObject({
    disruptionsAllowed: 0,
    disruptedPods: { p: expect.any(String) },
  });
});
