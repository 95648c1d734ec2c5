import { expect, it } from 'vitest';
import { newServedCluster } from '../../local-apiserver/support/served-cluster.js';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://x.example.com/', caBundle: '' } };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'xs.x.io' },
  spec: {
    group: 'x.io',
    scope: 'Namespaced',
    names: { plural: 'xs', singular: 'x', kind: 'X', listKind: 'XList' },
    conversion: { strategy: 'Webhook', webhook },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

it('a definition with an empty caBundle that is written again has its first generation', async () => {
  const { request } = newServedCluster();
  expect((await request('POST', path, { body: definition })).status).toBe(201);
  const headers = { 'content-type': 'application/merge-patch+json' };
  const { body } = await request('PATCH', `${path}/xs.x.io`, { body: definition, headers });
  expect(JSON.parse(String(body)).metadata.generation).toBe(1);
});
