import { expect, it } from 'vitest';
import type { KubernetesMinor } from '../../../src/kubernetes/kubernetes-version.js';
import { write } from '../../support/written-object.js';

const prefixed = "a name must be a domain-prefixed path, such as 'example.com/my-prop'";

// The second is recorded from v1.37.2; the others follow validate.ExtendedResourceName of v1.37, and the recordings of v1.36.3.
it.each<[name: string, minor: KubernetesMinor, words: readonly string[]]>([
  ['gpu', 'v1.37', [prefixed]],
  ['kubernetes.io/os', 'v1.37', ['must not have "kubernetes.io/" domain']],
  ['requests.example.com/gpu', 'v1.37', ['must not have "requests." prefix']],
  ['example.com/gpu', 'v1.37', []],
  ['gpu', 'v1.36', ['must be a valid extended resource name']],
  ['kubernetes.io/os', 'v1.36', ['must be a valid extended resource name']],
])('validates the extended resource name %s as %s does', async (name, kubernetesVersion, words) => {
  const { body } = await write({
    path: '/apis/resource.k8s.io/v1/deviceclasses',
    object: { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'c' }, spec: { extendedResourceName: name } },
    kubernetesVersion,
  });
  const causes = (body.details?.causes ?? []).map(({ message }: { message: string }) => message);
  expect(causes).toEqual(words.map(word => `Invalid value: ${JSON.stringify(name)}: ${word}`));
});
