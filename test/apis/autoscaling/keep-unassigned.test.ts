import { expect, it } from 'vitest';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { server } from '../../support/server.js';

const behavior = 'autoscaling.alpha.kubernetes.io/behavior';

function kept(version: string, value: object, held: object): ValueMap {
  const result = toValue(value) as ValueMap;
  server.scheme
    .conversionRule(`autoscaling/${version}.HorizontalPodAutoscaler`)
    ?.keepUnassigned?.(result, toValue(held) as ValueMap, server);
  return result;
}

it('a v1 autoscaler keeps target and behavior that a webhook removed', () => {
  const held = { metadata: { annotations: { [behavior]: '{}' } }, spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 70 } };
  expect(kept('v1', { spec: { maxReplicas: 4 } }, held)).toEqual(
    toValue({ spec: { maxReplicas: 4, targetCPUUtilizationPercentage: 70 }, metadata: { annotations: { [behavior]: '{}' } } }),
  );
  expect(kept('v1', { spec: { targetCPUUtilizationPercentage: 50 } }, { spec: { targetCPUUtilizationPercentage: 70 } })).toEqual(
    toValue({ spec: { targetCPUUtilizationPercentage: 50 } }),
  );
});

it('other versions assign all their fields', () => {
  expect(kept('v2', { spec: {} }, { spec: { targetCPUUtilizationPercentage: 70 } })).toEqual(toValue({ spec: {} }));
});
