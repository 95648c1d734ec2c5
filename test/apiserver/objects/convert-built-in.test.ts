import { describe, expect, test } from 'vitest';
import { builtInCodec } from '../../../src/apiserver/objects/built-in-codec.js';
import { convertBuiltIn } from '../../../src/apiserver/objects/convert-built-in.js';
import { decodeDocument } from '../../../src/apiserver/objects/decode-document.js';
import { parseApiVersion } from '../../../src/kubernetes/group-version.js';
import { server } from '../../support/server.js';

/** The document in another version, as plain data. */
function converted(document: unknown, apiVersion: string): unknown {
  const { codec, value } = decodeDocument(server, JSON.stringify(document));
  const groupVersion = parseApiVersion(apiVersion);
  if (groupVersion === undefined) throw new Error(apiVersion);
  const kind = { ...groupVersion, kind: codec.kind.kind };
  return JSON.parse(builtInCodec(codec.server, kind)?.encode(convertBuiltIn(codec.server, value, codec.kind, kind)) ?? '');
}

const prefix = 'autoscaling.alpha.kubernetes.io/';

describe('convertBuiltIn', () => {
  test('a v2 autoscaler is converted to v1 with annotations for missing fields', () => {
    const v2 = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { annotations: { a: 'b', [`${prefix}metrics`]: 'stale' } },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd' },
        maxReplicas: 3,
        metrics: [
          { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '5' } } },
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
        ],
        behavior: { scaleUp: { policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }] } },
      },
    };
    const v1 = converted(v2, 'autoscaling/v1');
    expect(v1).toEqual({
      kind: 'HorizontalPodAutoscaler',
      apiVersion: 'autoscaling/v1',
      metadata: {
        annotations: {
          a: 'b',
          [`${prefix}metrics`]: '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"5"}}]',
          [`${prefix}behavior`]:
            '{"ScaleUp":{"StabilizationWindowSeconds":null,"SelectPolicy":null,"Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":null}',
        },
      },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3, targetCPUUtilizationPercentage: 70 },
      status: { currentReplicas: 0, desiredReplicas: 0 },
    });
    expect(converted(v1, 'autoscaling/v2')).toEqual({
      ...v2,
      metadata: { annotations: { a: 'b' } },
      status: { desiredReplicas: 0, currentMetrics: null },
    });
  });

  test('drops invalid annotations, and converts the CPU utilization', () => {
    const v1 = {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { annotations: { [`${prefix}metrics`]: '{' } },
      spec: { scaleTargetRef: { kind: 'K', name: 'n' }, maxReplicas: 1 },
    };
    expect(converted(v1, 'autoscaling/v2')).toMatchObject({
      metadata: {},
      spec: { metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }] },
    });
  });

  test('an event has other field names in the other group', () => {
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'p' },
      message: 'm',
      source: { component: 'c' },
      count: 2,
      reportingComponent: 'r',
      reportingInstance: 'i',
    };
    expect(converted(event, 'events.k8s.io/v1')).toEqual({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'e' },
      eventTime: null,
      reportingController: 'r',
      reportingInstance: 'i',
      regarding: { kind: 'Pod', name: 'p' },
      note: 'm',
      deprecatedSource: { component: 'c' },
      deprecatedFirstTimestamp: null,
      deprecatedLastTimestamp: null,
      deprecatedCount: 2,
    });
  });

  test('converts the flat requests and devices of resource.k8s.io/v1beta1', () => {
    const claim = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: {},
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c', count: 2 } }] } },
      status: {},
    };
    const old = {
      ...claim,
      apiVersion: 'resource.k8s.io/v1beta1',
      spec: { devices: { requests: [{ name: 'r', deviceClassName: 'c', count: 2 }] } },
    };
    expect(converted(claim, 'resource.k8s.io/v1beta1')).toEqual(old);
    expect(converted(old, 'resource.k8s.io/v1')).toEqual(claim);
  });

  test('does not change its arguments', () => {
    const { codec, value } = decodeDocument(server, '{"apiVersion":"v1","kind":"Event","message":"m"}');
    const before = codec.encode(value);
    convertBuiltIn(codec.server, value, codec.kind, { group: 'events.k8s.io', version: 'v1', kind: 'Event' });
    expect(codec.encode(value)).toBe(before);
  });

  test.each([
    [
      'Deployment',
      'deprecated.deployment.rollback.to',
      'failed to parse annotation[deprecated.deployment.rollback.to]=x as int64: strconv.ParseInt: parsing "x": invalid syntax',
    ],
    ['DaemonSet', 'deprecated.daemonset.template.generation', 'strconv.ParseInt: parsing "x": invalid syntax'],
  ])('rejects a %s whose annotation %s is not a number', (kind, annotation, message) => {
    const document = { apiVersion: 'apps/v1', kind, metadata: { annotations: { [annotation]: 'x' } } };
    expect(() => converted(document, 'apps/v1')).toThrow(expect.objectContaining({ name: 'DecodeError', message }));
  });
});
