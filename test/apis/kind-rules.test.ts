import { describe, expect, it } from 'vitest';
import { deploymentRules } from '../../src/apis/apps/deployment/deployment-kind.js';
import { cronProblem } from '../../src/apis/batch/cron-job/cron-schedule.js';
import { configMapRules } from '../../src/apis/core/config-map/config-map-kind.js';
import { podRules } from '../../src/apis/core/pod/validation/pod-validation.js';
import { secretRules } from '../../src/apis/core/secret/secret-kind.js';
import { serviceRules } from '../../src/apis/core/service/service-validation.js';
import { podDisruptionBudgetRules } from '../../src/apis/policy/pod-disruption-budget/pod-disruption-budget-kind.js';
import { FieldPath } from '../../src/apiserver/registry/validation/field-path.js';
import { unifiedDiff } from '../../src/apiserver/registry/validation/unified-diff.js';
import { toValue } from '../../src/go/value.js';
import { printFieldError } from '../../src/kubernetes/field-error.js';
import { server } from '../support/server.js';

const container = { name: 'c', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' };
const spec = { containers: [container], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', terminationGracePeriodSeconds: 30 };
const template = { metadata: { labels: { a: 'b' } }, spec };
const strategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } };

const cases = [
  ['a pod without containers', podRules, { spec: { ...spec, containers: [] } }, ['spec.containers: Required value']],
  [
    'a container twice, without an image',
    podRules,
    { spec: { ...spec, containers: [container, { ...container, image: '' }] } },
    ['spec.containers[1].image: Required value', 'spec.containers[1].name: Duplicate value: "c"'],
  ],
  [
    'a request beyond its limit',
    podRules,
    { spec: { ...spec, containers: [{ ...container, resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }] } },
    ['spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
  ],
  [
    'a deployment of an unknown strategy',
    deploymentRules,
    { spec: { selector: { matchLabels: { a: 'b' } }, template, strategy: { type: 'X' } } },
    ['spec.strategy: Unsupported value: {"Type":"X","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"'],
  ],
  [
    'a deployment that selects other pods',
    deploymentRules,
    { spec: { selector: { matchLabels: { a: 'c' } }, template, strategy } },
    ['spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`'],
  ],
  [
    'a key twice',
    configMapRules,
    { data: { a: '1' }, binaryData: { a: 'eA==' } },
    ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
  ],
  [
    'a key pair without its parts',
    secretRules,
    { type: 'kubernetes.io/tls' },
    ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
  ],
  [
    'a service without ports',
    serviceRules,
    { spec: { type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster' } },
    ['spec.ports: Required value'],
  ],
  [
    'a budget of both kinds',
    podDisruptionBudgetRules,
    { spec: { minAvailable: 1, maxUnavailable: 1 } },
    [
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
  ],
] as const;

describe('the rules of kinds', () => {
  it.each(cases)('refuse %s', (_, rules, object, messages) => {
    const field = FieldPath.root(server, toValue(object));
    rules.create(field);
    expect(field.errors.map(printFieldError)).toEqual(messages);
  });

  it.each([
    ['*/5 * * * *', undefined],
    ['@daily', undefined],
    ['every day', 'expected exactly 5 fields, found 2: [every day]'],
    ['61 * * * *', 'end of range (61) above maximum (59): 61'],
  ])('read the schedule %s', (schedule, problem) => {
    expect(cronProblem(schedule)).toBe(problem);
  });

  it('show a changed line between three lines of each side', () => {
    expect(unifiedDiff('a\nb\nc\nd\ne', 'a\nb\nc\nX\ne')).toBe('@@ -1,5 +1,5 @@\n a\n b\n c\n-d\n+X\n e\n');
  });
});
