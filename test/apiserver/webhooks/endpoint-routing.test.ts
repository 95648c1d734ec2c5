import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { serviceResolver } from '../../../src/apiserver/webhooks/client-config.js';
import { storageOf } from '../../../src/kubernetes/storage.js';
import { newServedCluster } from '../../local-apiserver/support/served-cluster.js';

interface Recorded {
  readonly name: string;
  /** Of a Service with port 443. */
  readonly spec: object;
  readonly slices: readonly object[];
  /** Why the call failed: no process listened at the addresses. */
  readonly reason: string;
}

/** Services, and where kube-apiserver v1.36.3 and v1.37.2 with --enable-aggregator-routing call them. */
const recorded: readonly Recorded[] = JSON.parse(readFileSync('fixtures/local-apiserver/endpoint-routing.json', 'utf8'));

const random = (): number => 0.99;

it.each(recorded)('resolves the service "$name" to its endpoint', async ({ name, spec, slices, reason }) => {
  const { cluster, request } = newServedCluster();
  const create = async (path: string, body: object): Promise<void> => expect((await request('POST', path, { body })).status).toBe(201);
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 443 }], ...spec } };
  await create('/api/v1/namespaces/default/services', service);
  for (const slice of slices) await create('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', slice);
  const address = serviceResolver(storageOf(cluster.state()), true, random)({ name, namespace: 'default', port: 443, path: '' });
  const text = 'unresolvable' in address ? address.unresolvable : `dial tcp ${address.host}:${address.port}: connect: connection refused`;
  expect(text).toBe(reason);
});
