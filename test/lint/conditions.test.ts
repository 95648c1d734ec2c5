import { describe, expect, it } from 'vitest';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { lintSubjectOf } from '../../src/cli/work/lint/lint-subject.js';
import type { Manifest } from '../../src/client/manifests/manifests.js';
import { isMap, toValue } from '../../src/go/value.js';
import type { KubernetesMinor } from '../../src/kubernetes/kubernetes-version.js';
import { lint } from '../../src/lint/rule.js';
import { conditionWithoutObject } from '../../src/lint/rules/condition-without-object.js';
import { conditionCanFail } from '../../src/lint/rules/conditions.js';

async function findings(expression: string, rule: object, minor: KubernetesMinor = 'v1.37', phase = 'Validating') {
  const value = toValue({
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: `${phase}WebhookConfiguration`, metadata: { name: 'c' } },
    webhooks: [
      {
        ...{ name: 'w.example.com', clientConfig: { url: 'https://example.com/' }, matchConditions: [{ name: 'c', expression }] },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods'], ...rule }],
      },
    ],
  });
  if (!isMap(value)) throw new Error('not a map');
  const subject = lintSubjectOf(apiServers({ minor }), [{ object: value } as Manifest], new Date(0));
  const found = await lint([conditionWithoutObject, conditionCanFail], subject, new Map());
  return { subject, found: found.map(({ finding }) => finding) };
}

describe('labels of Jobs', () => {
  it.each([
    ['UPDATE', 'jobs/status', 'oldObject', 0],
    ['DELETE', 'jobs', 'oldObject', 0],
    ['CREATE', 'jobs', 'object', 1],
    ['UPDATE', 'cronjobs', 'oldObject', 1],
  ])('on %s of %s', async (operation, resource, variable, count) => {
    const rule = { apiGroups: ['batch'], operations: [operation], resources: [resource] };
    expect((await findings(`${variable}.metadata.labels.size() > 0`, rule)).found).toHaveLength(count);
  });
});

/** Members that the smallest pod does not have. */
const missing = [
  'metadata.labels.app',
  "metadata.labels['a.b/c']",
  'metadata.annotations.team',
  'metadata.finalizers[0]',
  'metadata.deletionTimestamp',
  'spec.nodeName',
  'spec.priorityClassName',
  'spec.runtimeClassName',
  'spec.securityContext.seccompProfile.type',
  'spec.nodeSelector.zone',
];

/** The same path with optional selection. */
const optional = (path: string) =>
  path.replace('[0]', '[?0]').replace(/\['/, "[?'").replaceAll('.', '.?').replace("[?'a.?b/c']", "[?'a.b/c']");

/** For each operation: the variable that is set, and how to leave the operation out. */
const operations = [
  ['CREATE', 'object', "request.operation == 'CREATE'"],
  ['UPDATE', 'object', "request.operation == 'UPDATE'"],
  ['UPDATE', 'oldObject', "request.operation == 'UPDATE'"],
  ['DELETE', 'oldObject', "request.operation == 'DELETE'"],
] as const;

describe.each(['v1.36', 'v1.37'] as const)('conditions of %s', minor => {
  it.each(operations)('on %s that read %s fail without optional selection, has(...) or a guard', async (operation, variable, guard) => {
    const rule = { operations: [operation] };
    for (const path of minor === 'v1.37' ? missing : missing.slice(0, 2)) {
      const raw = `${variable}.${path} != 'a'`;
      const [failing] = (await findings(raw, rule, minor)).found;
      expect([raw, failing?.rule]).toEqual([raw, 'condition-can-fail']);
      const chain = `${variable}.${optional(path)}.orValue(null) != null`;
      for (const expression of [
        chain,
        `${guard} || ${raw}`,
        `!has(${variable}.metadata.labels) && !has(${variable}.metadata.name) && ${raw}`,
      ]) {
        expect([expression, (await findings(expression, rule, minor)).found]).toEqual([expression, []]);
      }
    }
  });
});

describe('a condition', () => {
  it.each([
    [
      'object.metadata.labels.size() > 0',
      { operations: ['CONNECT'], resources: ['pods/exec'] },
      'the condition c reads labels, which may be missing, on CONNECT: no such key: labels',
    ],
    [
      "object.metadata.name != 'a'",
      { operations: ['CONNECT'], resources: ['pods/exec'] },
      'the condition c fails on CONNECT pods/exec: no such key: metadata',
    ],
    [
      'object.spec.containers.size() > 0',
      { operations: ['CREATE'], resources: ['pods', 'pods/binding'] },
      'the condition c fails on CREATE pods/binding: no such key: spec',
    ],
    [
      'object.spec.template.spec.containers.size() > 0',
      { apiGroups: ['apps'], operations: ['UPDATE'], resources: ['deployments', 'deployments/scale'] },
      'the condition c fails on UPDATE deployments/scale: no such key: template',
    ],
    [
      "request.namespace != 'kube-system'",
      { resources: ['nodes'], operations: ['UPDATE'] },
      'the condition c fails on UPDATE nodes: no such key: namespace',
    ],
    [
      'oldObject.spec.replicas != object.spec.replicas',
      { apiGroups: ['apps'], operations: ['UPDATE'], resources: ['deployments'] },
      undefined,
    ],
    ['object.spec.replicas > 1', { apiGroups: ['apps'], operations: ['CREATE'], resources: ['deployments', 'statefulsets'] }, undefined],
    ["object.spec.type == 'ClusterIP'", { operations: ['CREATE'], resources: ['services'] }, undefined],
    [
      "object.spec.loadBalancerClass == 'a'",
      { operations: ['CREATE'], resources: ['services'] },
      'the condition c fails on CREATE services: no such key: loadBalancerClass',
    ],
    ["object.command.exists(c, c == 'sh')", { operations: ['CONNECT'], resources: ['pods/exec'] }, undefined],
    ["!('system:nodes' in request.userInfo.groups)", { resources: ['*/*'], apiGroups: ['*'] }, undefined],
    [
      'object.spec.replicas > 0',
      { apiGroups: ['apps'], operations: ['UPDATE'], resources: ['deployments/scale'] },
      'the condition c fails on UPDATE deployments/scale to 0 replicas: no such key: replicas',
    ],
    ["request.subResource != 'log'", { operations: ['CONNECT'], resources: ['pods/exec', 'pods/*'] }, undefined],
    [
      "request.subResource != 'log'",
      { operations: ['CREATE'], resources: ['pods/binding', 'pods'] },
      'the condition c reads subResource, which may be missing, on CREATE: no such key: subResource',
    ],
  ])('%s for %j', async (expression, rule, message) => {
    const { found } = await findings(expression, rule);
    expect(found.map(one => one.message)).toEqual(message === undefined ? [] : [message]);
  });

  it.each([
    ["object.metadata.labels.app == 'a'", "object.metadata.?labels.?app.orValue('') == 'a'"],
    ["object.metadata.annotations['a.b/c'] != 'x'", "object.metadata.?annotations[?'a.b/c'].orValue('') != 'x'"],
    [
      'object.spec.terminationGracePeriodSeconds > 5 && object.spec.activeDeadlineSeconds > 5',
      'object.spec.terminationGracePeriodSeconds > 5 && object.spec.?activeDeadlineSeconds.orValue(0) > 5',
    ],
    ['object.spec.shareProcessNamespace == true', 'object.spec.?shareProcessNamespace.orValue(false) == true'],
  ])('%s is repaired with %s, which is tried', async (expression, repair) => {
    const { found } = await findings(expression, { operations: ['CREATE'] });
    expect(found.map(({ fix }) => fix)).toEqual([`write: ${repair}`]);
    expect((await findings(repair, { operations: ['CREATE'] })).found).toEqual([]);
  });

  it('on UPDATE is repaired for objects without labels, and without annotations', async () => {
    for (const map of ['labels', 'annotations']) {
      const { found } = await findings(`object.metadata.${map}.app == 'a'`, { operations: ['UPDATE'] });
      expect(found.map(({ fix }) => fix)).toEqual([`write: object.metadata.?${map}.?app.orValue('') == 'a'`]);
    }
  });

  it('of a mutating webhook reads no name where one is generated', async () => {
    const { found } = await findings("request.name != 'a'", { operations: ['CREATE'] }, 'v1.37', 'Mutating');
    expect(found.map(({ message, fix }) => [message, fix])).toEqual([
      ['the condition c fails on CREATE pods with generateName: no such key: name', "write: request.?name.orValue('') != 'a'"],
    ]);
    expect((await findings("request.name != 'a'", { operations: ['CREATE'] })).found).toEqual([]);
  });

  it('that reads an object which is null is repaired with a guard', async () => {
    const { found } = await findings("object.metadata.namespace != 'a'", { operations: ['DELETE'] });
    expect(found.map(({ fix }) => fix)).toEqual([
      "write: request.operation == 'DELETE' || (object.metadata.namespace != 'a'), or use the object that is set",
    ]);
  });
});
