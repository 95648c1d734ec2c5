import { expect, it } from 'vitest';
import { newServedCluster } from './support/served-cluster.js';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'foos.networking.k8s.io', annotations: { 'api-approved.kubernetes.io': 'https://example.com' } },
  spec: {
    group: 'networking.k8s.io',
    scope: 'Cluster',
    names: { plural: 'foos', kind: 'Foo' },
    versions: ['v1', 'v2', 'vfake'].map((name, i) => ({
      name,
      served: true,
      storage: i === 0,
      schema: { openAPIV3Schema: { type: 'object' } },
    })),
  },
};

/** As kube-apiserver v1.36.3. */
it('lists the versions that a definition adds to a built-in group, and serves none of them', async () => {
  const { request } = newServedCluster();
  const read = async (path: string, headers = {}): Promise<{ status: number; body: string }> => {
    const { status, body } = await request('GET', path, { headers });
    return { status, body: String(body) };
  };
  await request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });

  const group = JSON.parse((await read('/apis/networking.k8s.io')).body);
  expect(group.versions.map(({ version }: { version: string }) => version)).toEqual(['v2', 'vfake', 'v1']);
  expect(group.preferredVersion.version).toBe('v2');
  const { groups } = JSON.parse((await read('/apis')).body);
  expect(groups.filter(({ name }: { name: string }) => name === 'networking.k8s.io')).toEqual([
    { name: 'networking.k8s.io', versions: group.versions, preferredVersion: group.preferredVersion },
  ]);

  const accept = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
  const { items } = JSON.parse((await read('/apis', accept)).body);
  const aggregated = items.filter(({ metadata }: { metadata: { name: string } }) => metadata.name === 'networking.k8s.io');
  type Version = { version: string; resources: readonly { resource: string }[] };
  expect(
    aggregated.map(({ versions }: { versions: Version[] }) => versions.map(v => [v.version, v.resources.map(r => r.resource)])),
  ).toEqual([
    [
      ['v2', ['foos']],
      ['vfake', ['foos']],
      ['v1', ['ingressclasses', 'ingresses', 'ipaddresses', 'networkpolicies', 'servicecidrs']],
    ],
  ]);

  for (const path of ['v1/foos', 'v2', 'v2/foos', 'vfake/foos/x']) {
    const { status, body } = await read(`/apis/networking.k8s.io/${path}`);
    expect([path, status, JSON.parse(body).message]).toEqual([path, 404, 'the server could not find the requested resource']);
  }
  expect((await read('/apis/networking.k8s.io/v1')).body).not.toContain('"foos"');
});
