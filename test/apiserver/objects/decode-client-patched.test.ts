import { expect, it } from 'vitest';
import { write } from '../../support/written-object.js';

const metadata = { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-02T03:04:05Z' };
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
const autoscaler = {
  apiVersion: 'autoscaling/v1',
  kind: 'HorizontalPodAutoscaler',
  metadata,
  spec: { scaleTargetRef: target, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 80 },
};

const merge = (path: string, stored: object, object: object) => write({ path, stored, object, patchType: 'application/merge-patch+json' });
const toConfigMap = (object: object) => merge('/api/v1/namespaces/n/configmaps/x', configMap, object);

it.each([
  [{ kind: 'Foo' }, 'no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"'],
  [{ apiVersion: 'v2' }, 'no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"'],
  [{ apiVersion: 'a/b/c' }, 'unexpected GroupVersion string: a/b/c'],
  [{ kind: 'Secret' }, 'converting (v1.Secret) to (core.ConfigMap): unknown conversion'],
  [{ Kind: 5 }, `couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string`],
])('rejects a merge patch that changes the kind: %j', async (patch, detail) => {
  const { status, message } = await toConfigMap(patch);
  expect(status).toBe(422);
  expect(message?.endsWith(`: ${detail}`)).toBe(true);
});

it('ignores kinds that are missing or spelled differently', async () => {
  for (const patch of [{ Kind: 'Foo' }, { kind: null }, { kind: '' }]) expect((await toConfigMap(patch)).status).toBe(200);
});

it('without a version the internal type is used, in which no field name matches', async () => {
  const { status, message } = await toConfigMap({ apiVersion: null });
  expect([status, message]).toEqual([400, 'the name of the object (x based on URL) was undeterminable: name must be provided']);
});

it('another version of the kind is converted', async () => {
  const path = '/apis/autoscaling/v1/namespaces/n/horizontalpodautoscalers/x';
  const { status, body } = await merge(path, autoscaler, { apiVersion: 'autoscaling/v2', spec: { maxReplicas: 5 } });
  expect([status, body.apiVersion, body.spec.maxReplicas]).toEqual([200, 'autoscaling/v1', 5]);
});
