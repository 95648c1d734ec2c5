import { describe, expect, test } from 'vitest';
import { imageTag } from '../../../src/apis/core/pod/defaults/pod-spec-defaults.js';
import { decodeDocument } from '../../../src/apiserver/objects/decode-document.js';
import { server } from '../../support/server.js';

function defaulted(document: Record<string, unknown>): Record<string, never> {
  const { codec, value } = decodeDocument(server, JSON.stringify(document));
  codec.applyDefaults(value);
  return JSON.parse(codec.encode(value));
}

const podSpec = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};
const container = { resources: {}, terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' };

describe('defaults of built-in kinds', () => {
  test('a pod is written in the order of its Go type, with all fields that are never omitted', () => {
    const { codec, value } = decodeDocument(
      server,
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"nginx"}]}}',
    );
    codec.applyDefaults(value);
    expect(codec.encode(value)).toBe(
      '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"nginx","resources":{},' +
        '"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],"restartPolicy":"Always",' +
        '"terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler","enableServiceLinks":true},"status":{}}',
    );
  });

  test('the pod of a template gets only the defaults of every pod spec', () => {
    const template = { spec: { hostNetwork: true, containers: [{ name: 'c', image: 'i:1', ports: [{ containerPort: 80 }] }] } };
    const made = defaulted({ apiVersion: 'apps/v1', kind: 'Deployment', spec: { template } });
    expect(made).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {},
      spec: {
        replicas: 1,
        selector: null,
        template: {
          metadata: {},
          spec: {
            ...podSpec,
            hostNetwork: true,
            containers: [
              { ...container, name: 'c', image: 'i:1', imagePullPolicy: 'IfNotPresent', ports: [{ containerPort: 80, protocol: 'TCP' }] },
            ],
          },
        },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
      status: {},
    });
  });

  test("a pod's requests are those of its containers, or its limits", () => {
    const limited = (cpu: string) => ({ resources: { limits: { cpu } } });
    const made = defaulted({
      apiVersion: 'v1',
      kind: 'Pod',
      spec: {
        containers: [{ name: 'a', ...limited('500m') }],
        initContainers: [
          { name: 'b', restartPolicy: 'Always', ...limited('1') },
          { name: 'c', ...limited('2') },
        ],
        resources: { limits: { cpu: '4', memory: '1Gi', 'hugepages-2Mi': '4Mi' } },
      },
    });
    expect(made['spec']).toMatchObject({ resources: { requests: { cpu: '3', memory: '1Gi', 'hugepages-2Mi': '4Mi' } } });
  });

  test('resource lists are rounded up to thousandths, other quantities are not', () => {
    const spec = { overhead: { cpu: '0.1111', memory: '1n' }, volumes: [{ name: 'v', emptyDir: { sizeLimit: '0.1111' } }] };
    expect(defaulted({ apiVersion: 'v1', kind: 'Pod', spec })['spec']).toMatchObject({
      overhead: { cpu: '112m', memory: '1m' },
      volumes: [{ name: 'v', emptyDir: { sizeLimit: '111100u' } }],
    });
  });

  test.each([
    [
      { sessionAffinity: 'None', sessionAffinityConfig: { clientIP: {} } },
      { type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster' },
    ],
    [
      { sessionAffinity: 'ClientIP', type: 'ExternalName' },
      { type: 'ExternalName', sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } } },
    ],
    [
      { ports: [{ port: 80 }, { port: 81, targetPort: '' }, { port: 82, targetPort: 'http', protocol: 'UDP' }], externalIPs: ['1.2.3.4'] },
      {
        ports: [
          { port: 80, targetPort: 80, protocol: 'TCP' },
          { port: 81, targetPort: 81, protocol: 'TCP' },
          { port: 82, targetPort: 'http', protocol: 'UDP' },
        ],
        externalIPs: ['1.2.3.4'],
        type: 'ClusterIP',
        sessionAffinity: 'None',
        externalTrafficPolicy: 'Cluster',
        internalTrafficPolicy: 'Cluster',
      },
    ],
  ])('a service with %j', (spec, expected) => {
    expect(defaulted({ apiVersion: 'v1', kind: 'Service', spec })['spec']).toEqual(expected);
  });

  test.each([
    [{}, { parallelism: 1, completions: 1, backoffLimit: 6, podReplacementPolicy: 'TerminatingOrFailed' }],
    [{ parallelism: 2 }, { parallelism: 2, backoffLimit: 6, podReplacementPolicy: 'TerminatingOrFailed' }],
    [
      { completions: 3, backoffLimitPerIndex: 0 },
      { parallelism: 1, completions: 3, backoffLimitPerIndex: 0, backoffLimit: 2147483647, podReplacementPolicy: 'TerminatingOrFailed' },
    ],
    [
      { podFailurePolicy: { rules: [{ action: 'Count', onPodConditions: [{ type: 'x' }] }] } },
      {
        parallelism: 1,
        completions: 1,
        backoffLimit: 6,
        podReplacementPolicy: 'Failed',
        podFailurePolicy: { rules: [{ action: 'Count', onPodConditions: [{ type: 'x', status: 'True' }] }] },
      },
    ],
  ])('a job with %j', (spec, expected) => {
    expect(defaulted({ apiVersion: 'batch/v1', kind: 'Job', spec })['spec']).toEqual({
      manualSelector: false,
      completionMode: 'NonIndexed',
      suspend: false,
      template: { metadata: {}, spec: { ...podSpec, containers: null } },
      ...expected,
    });
  });

  test('a tainted device gets the current time, if a clock is available', () => {
    const slice =
      '{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","spec":{"devices":[{"name":"d","taints":[{"key":"k","effect":"NoExecute"}]}]}}';
    const { codec, value } = decodeDocument(server, slice);
    codec.applyDefaults(value, new Date('2024-01-02T03:04:05.678Z'));
    expect(codec.encode(value)).toContain('"timeAdded":"2024-01-02T03:04:05Z"');
  });

  test('sets only defaults without the internal version', () => {
    const { codec, value } = decodeDocument(server, '{"apiVersion":"v1","kind":"Secret","stringData":{"a":"b"}}');
    codec.setDefaults(value);
    expect(codec.encode(value)).toBe('{"kind":"Secret","apiVersion":"v1","metadata":{},"stringData":{"a":"b"},"type":"Opaque"}');
    codec.throughInternal(value);
    expect(codec.encode(value)).toBe('{"kind":"Secret","apiVersion":"v1","metadata":{},"data":{"a":"Yg=="},"type":"Opaque"}');
  });
});

describe('imageTag', () => {
  const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

  test.each([
    ['nginx', 'latest'],
    ['nginx:1.27', '1.27'],
    ['localhost:5000/a/b', 'latest'],
    ['A.b/c:latest', 'latest'],
    [`nginx:latest@${digest}`, 'latest'],
    [`nginx@${digest}`, ''],
    ['nginx@sha256:0123', ''],
    ['Nginx', ''],
    ['', ''],
    ['a b', ''],
    ['0123456789abcdef'.repeat(4), ''],
    [`a/${'b'.repeat(256)}`, ''],
  ])('%s: %j', (image, tag) => {
    expect(imageTag(image)).toBe(tag);
  });
});
