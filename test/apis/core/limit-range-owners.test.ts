import { expect, it } from 'vitest';
import { newServedCluster } from '../../local-apiserver/support/served-cluster.js';

const path = '/api/v1/namespaces/default/limitranges';
const limits = (cpu: string): object => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'limits' },
  spec: { limits: [{ type: 'Container', defaultRequest: { cpu } }] },
});

/** The stored object has an empty map of defaults, which an applied one lacks. */
it.each([
  ['keeps its first owner where the same limits are applied', '100m', ['second Apply', 'first Update']],
  ['loses its first owner to other limits', '200m', ['second Apply']],
])('a LimitRange %s', async (_, cpu, expected) => {
  const { request } = newServedCluster();
  expect((await request('POST', `${path}?fieldManager=first`, { body: limits('100m') })).status).toBe(201);
  const headers = { 'content-type': 'application/apply-patch+yaml' };
  const { body } = await request('PATCH', `${path}/limits?fieldManager=second&force=true`, { body: limits(cpu), headers });
  const entries: readonly { readonly manager: string; readonly operation: string }[] = JSON.parse(String(body)).metadata.managedFields;
  expect(entries.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual(expected);
});
