import { expect, it } from 'vitest';
import { write } from '../support/written-object.js';

const metadata = { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-02T03:04:05Z' };

it('a Scale has metadata like other objects', async () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
  const stored = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec };
  const object = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { ...metadata, annotations: { '#': '' } },
    spec: { replicas: -1 },
  };
  const { message } = await write({ path: '/apis/apps/v1/namespaces/n/deployments/x/scale', stored, object });
  expect(message).toMatch(
    /^Scale\.autoscaling "x" is invalid: \[metadata\.annotations: .*, spec\.replicas: Invalid value: -1: must be greater than or equal to 0\]$/,
  );
});

it('a PUT of a Scale lists each owner once', async () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
  const stored = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec };
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'o' };
  const object = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { ...metadata, ownerReferences: [owner, owner] },
    spec: { replicas: 2 },
  };
  const { warnings } = await write({ path: '/apis/apps/v1/namespaces/n/deployments/x/scale', stored, object });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('.metadata.ownerReferences contains duplicate entries; API server dedups owner references');
});
