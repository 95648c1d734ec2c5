import { expect, it } from 'vitest';
import type { KubernetesMinor } from '../../../src/kubernetes/kubernetes-version.js';
import { write } from '../../support/written-object.js';

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } };
const autoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'h', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-02T03:04:05Z' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 2 },
};

it.each<[KubernetesMinor, string[]]>([
  ['v1.36', []],
  ['v1.37', ['status.conditions[1].observedGeneration: Invalid value: -2: must be greater than or equal to 0']],
])('in %s the generations of conditions and the replicas in a status are counts', async (kubernetesVersion, ofConditions) => {
  const conditions = [
    { type: 'AbleToScale', status: 'True', observedGeneration: 1 },
    { type: 'ScalingActive', status: 'True', observedGeneration: -2 },
  ];
  const { body } = await write({
    path: '/apis/autoscaling/v2/namespaces/n/horizontalpodautoscalers/h/status',
    stored: autoscaler,
    object: { ...autoscaler, status: { conditions, currentReplicas: -1, desiredReplicas: 0 } },
    around: [namespace],
    kubernetesVersion,
  });
  const causes: { field: string; message: string }[] = body.details.causes;
  expect(causes.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    ...ofConditions,
    'status.currentReplicas: Invalid value: -1: must be greater than or equal to 0',
  ]);
});
