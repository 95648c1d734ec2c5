import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { newServedCluster } from '../../local-apiserver/support/served-cluster.js';

interface Recorded {
  /** Members that replace those of a webhook. */
  readonly variants: readonly object[];
  /** What kube-apiserver v1.36.3 had as generation after a PUT of the variant of the column over the one of the row. */
  readonly generations: readonly (readonly number[])[];
}

const { variants, generations }: Recorded = JSON.parse(readFileSync(new URL('webhook-generations.json', import.meta.url), 'utf8'));

const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

const configuration = (name: string, members: object, resourceVersion?: string): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name, resourceVersion },
  webhooks: [
    {
      name: 'a.x.io',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: 'https://x.example.com/' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      ...members,
    },
  ],
});

it('a webhook configuration gets another generation where a member changes between absent and empty', async () => {
  const { request } = newServedCluster();
  const metadataOf = async (method: string, url: string, body: object) =>
    JSON.parse(String((await request(method, url, { body })).body)).metadata;
  const generationAfter = async (name: string, first: object, second: object): Promise<number> => {
    const { resourceVersion } = await metadataOf('POST', path, configuration(name, first));
    return (await metadataOf('PUT', `${path}/${name}`, configuration(name, second, resourceVersion))).generation;
  };
  const got = await Promise.all(
    variants.map((first, i) => Promise.all(variants.map((second, j) => generationAfter(`w-${i}-${j}`, first, second)))),
  );
  expect(got).toEqual(generations);
});

/** The metadata of an update is validated by the store twice, and by the strategy once. */
it('tells an invalid label three times in an update', async () => {
  const { request } = newServedCluster();
  await request('POST', path, { body: configuration('w', {}) });
  const headers = { 'content-type': 'application/merge-patch+json' };
  const { body } = await request('PATCH', `${path}/w`, { body: { metadata: { labels: { a: 'x/y' } } }, headers });
  const causes: readonly { readonly field: string }[] = JSON.parse(String(body)).details.causes;
  expect(causes.map(({ field }) => field)).toEqual(['metadata.labels', 'metadata.labels', 'metadata.labels']);
});
