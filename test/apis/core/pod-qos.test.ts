import { expect, it } from 'vitest';
import { computedQosClass } from '../../../src/apis/core/pod/validation/qos-class.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { server } from '../../support/server.js';

const full = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } };

it.each([
  [{ containers: [{ resources: full }] }, 'Guaranteed'],
  [{ containers: [{}], initContainers: [{ resources: full }] }, 'Burstable'],
  [{ containers: [{}], resources: full }, 'Guaranteed'],
  [{ containers: [{}] }, 'BestEffort'],
])('computes the QoS class of %o', (spec, expected) => {
  expect(computedQosClass(server, toValue(spec) as ValueMap)).toBe(expected);
});
