import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { definitionOf } from '../../../src/apiserver/call/definitions.js';
import { servedBy } from '../../../src/apiserver/call/served-resources.js';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import type { ObjectCallFlags } from '../../../src/client/calls/plan.js';
import { planObjects } from '../../../src/client/calls/plan.js';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { yamlToJson } from '../../../src/encoding/yaml.js';
import { writeValue } from '../../../src/go/json/write.js';
import { copyOf, isMap, mapAt, stringAt, toValue, type ValueMap, valueAt } from '../../../src/go/value.js';
import { kindOf } from '../../../src/kubernetes/storage.js';
import { lifecycleCases } from '../../../src/suites/scenarios/lifecycle.js';
import type { ScenarioCase, ScenarioName } from '../../../src/suites/scenarios/scenario.js';
import { clusterStateWith } from '../../support/cluster-state.js';
import { root, testSurroundings } from '../../support/run-command.js';

function objectOf(yaml: string): ValueMap {
  const value = readUnstructured(yamlToJson(yaml));
  if (!isMap(value)) throw new Error('no object');
  return value;
}

const definition = objectOf(readFileSync(path.join(root, 'fixtures/cluster/crontab-definition.yaml'), 'utf8'));
const crontab = objectOf(readFileSync(path.join(root, 'fixtures/objects/crontab.yaml'), 'utf8'));
const pod = objectOf(
  '{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, image: "registry:5000/web@sha256:0"}]}}',
);
const template = '{metadata: {labels: {app: w}}, spec: {containers: [{name: c, image: "web:1"}]}}';
const deployment = objectOf(
  `{apiVersion: apps/v1, kind: Deployment, metadata: {name: w, finalizers: [example.com/own]}, spec: {selector: {matchLabels: {app: w}}, template: ${template}}}`,
);
const job = objectOf(
  `{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}`,
);
const config = objectOf('{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: "1"}}');
const secret = objectOf('{apiVersion: v1, kind: Secret, metadata: {name: s}}');
const service = objectOf('{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: 80}], clusterIP: None}}');
const account = objectOf('{apiVersion: v1, kind: ServiceAccount, metadata: {name: s}}');
const node = objectOf('{apiVersion: v1, kind: Node, metadata: {name: node-1}}');

const others = [
  '{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: {pods: "3"}}}',
  `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h}, spec: {maxReplicas: 3, scaleTargetRef: {kind: Deployment, name: w, apiVersion: apps/v1}}}`,
  '{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: p}, spec: {maxUnavailable: 1, selector: {}}}',
  '{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: l}, spec: {leaseDurationSeconds: 3}}',
  '{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r}, rules: []}',
  '{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: r}}',
  '{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: p}, spec: {podSelector: {}}}',
  '{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: i}, spec: {defaultBackend: {service: {name: s, port: {number: 80}}}}}',
  '{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: c}, provisioner: example.com/p}',
  '{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 10}',
].map(objectOf);

const state = clusterStateWith({ objects: [definition] });

function casesOf(manifest: ValueMap, names: readonly ScenarioName[] | 'all' = 'all', inState = state): ScenarioCase[] {
  const { group, version, kind } = kindOf(manifest);
  const resource = servedBy(inState).resources.find(r => r.kind.group === group && r.kind.version === version && r.kind.kind === kind);
  if (resource === undefined) throw new Error(`no resource for ${kind}`);
  return lifecycleCases(names, { manifest, resource, definition: definitionOf(resource, inState) });
}

/** The API server's answer, without any webhook. */
async function answer(object: ValueMap, flags: object, old: readonly ValueMap[] = []) {
  const surroundings = testSurroundings({}, { stdout: '', stderr: '' });
  const manifest = { object, source: 'm.yaml', location: { file: 'm.yaml' } };
  const plan = planObjects(state, { manifests: [manifest], old }, { flags: flags as ObjectCallFlags, surroundings });
  const planned = await plan.steps[0]?.plan(plan.state);
  if (planned === undefined || 'skipped' in planned) throw new Error('no call');
  const { call } = planned;
  const effects = { callWebhook: () => Promise.reject(new Error('no webhooks')), uid: surroundings.uid, now: surroundings.now };
  const { decision } = await handleCall(call, plan.state, { ...effects, random: () => 0.5, elapsedMs: () => 0 });
  return {
    line: `${call.method} ${call.path}`,
    code: decision.code,
    message: stringAt(decision.status, 'message'),
    object: decision.object,
  };
}

/** The cases of a manifest that are not skipped, with the API server's answers. */
async function answersOf(manifest: ValueMap) {
  const { object: stored } = await answer(copyOf(manifest), {});
  const answers = [];
  for (const { name, options, objects, skip } of casesOf(manifest)) {
    const { object, old } = objects(stored);
    if (skip === undefined) answers.push({ name, ...(await answer(object, options, old === undefined ? [] : [old])), object: undefined });
  }
  return answers;
}

describe('the scenarios of a manifest', { timeout: 30_000 }, () => {
  it('are its lifecycle in order, each call also as a dry run', () => {
    expect(casesOf(deployment).map(({ name }) => name)).toEqual(
      [
        'create',
        'generate-name',
        'apply',
        'update-spec',
        'update-labels',
        'status',
        'scale',
        'update-terminating',
        'remove-finalizers',
        'delete',
      ].flatMap(name => [name, `${name}, dry run`]),
    );
    expect(casesOf(pod, ['delete', 'create']).map(({ name }) => name)).toEqual(['create', 'create, dry run', 'delete', 'delete, dry run']);
  });

  it.each<[string, ValueMap]>([
    ['a pod', pod],
    ['a deployment', deployment],
    ['a job', job],
    ['a config map', config],
    ['a secret', secret],
    ['a service', service],
    ['a service account', account],
    ['a node', node],
    ['a custom resource', crontab],
    ...others.map((manifest): [string, ValueMap] => [stringAt(manifest, 'kind'), manifest]),
  ])('are calls that the API server accepts, for %s', async (_, manifest) => {
    const answers = await answersOf(manifest);
    expect(answers.map(({ name }) => name)).toContain('update-spec');
    expect(answers.filter(({ code }) => code >= 300)).toEqual([]);
    expect(answers.every(({ name, line }) => name.endsWith('dry run') === line.includes('dryRun=All') || line.startsWith('DELETE'))).toBe(
      true,
    );
  });

  it('are the calls that kubectl makes', async () => {
    const calls = (await answersOf(deployment)).filter(({ name }) => !name.endsWith('dry run'));
    const lines = calls.map(({ line }) => line.replace('&fieldValidation=Strict', ''));
    const one = '/apis/apps/v1/namespaces/default/deployments/w';
    expect(lines).toEqual([
      'POST /apis/apps/v1/namespaces/default/deployments?fieldManager=kubectl-create',
      'POST /apis/apps/v1/namespaces/default/deployments?fieldManager=kubectl-create',
      `PATCH ${one}?fieldManager=kubectl&force=false`,
      `PUT ${one}?fieldManager=kubectl-replace`,
      `PUT ${one}?fieldManager=kubectl-replace`,
      `PUT ${one}/status?fieldManager=kubectl-replace`,
      `PATCH ${one}/scale`,
      `PUT ${one}?fieldManager=kubectl-replace`,
      `PUT ${one}?fieldManager=kubectl-replace`,
      `DELETE ${one}`,
    ]);
  });

  it('skip calls that the kind does not support, with a reason', () => {
    const skipped = (manifest: ValueMap) =>
      casesOf(manifest).flatMap(({ name, skip }) => (skip === undefined || name.endsWith('run') ? [] : [`${name}: ${skip}`]));
    expect(skipped(config)).toEqual(['status: configmaps have no status', 'scale: configmaps have no scale']);
    expect(skipped(pod)).toEqual(['scale: pods have no scale']);
    expect(skipped(definition)).toEqual([
      'generate-name: names of customresourcedefinitions are derived from their contents',
      'update-spec: no valid change is known for this CustomResourceDefinition: add a case with old and filename',
      'scale: customresourcedefinitions have no scale',
    ]);
  });

  it('remove the last finalizers of an object being deleted, which webhooks must not refuse', () => {
    const [removal] = casesOf(deployment, ['remove-finalizers']);
    expect(removal?.mustBeAllowed).toBe(true);
    const { object, old } = removal?.objects(undefined) ?? {};
    expect(valueAt(old, 'metadata', 'finalizers')).toEqual(['example.com/own', 'webhook-cli.dev/scenario']);
    expect([...(mapAt(object, 'metadata') ?? [])].map(([key]) => key)).toEqual(['name', 'deletionTimestamp', 'deletionGracePeriodSeconds']);
  });

  it('do not modify the manifest', () => {
    const before = writeValue(deployment, 'kept');
    for (const { objects } of casesOf(deployment)) objects(deployment);
    expect(writeValue(deployment, 'kept')).toBe(before);
  });

  it.each([
    [pod, ['spec', 'containers', 0, 'image'], 'registry:5000/web:changed'],
    [deployment, ['spec', 'template', 'spec', 'containers', 0, 'image'], 'web:changed'],
    [job, ['spec', 'suspend'], true],
    [config, ['data', 'webhook-cli.dev.scenario'], 'yes'],
    [service, ['spec', 'sessionAffinity'], 'ClientIP'],
  ])('change a mutable field of the spec', (manifest, field, expected) => {
    expect(valueAt(casesOf(manifest, ['update-spec'])[0]?.objects(undefined).object, ...field)).toBe(expected);
  });

  it.each([
    ['a number', { type: 'integer' }, 3, 4n],
    ['a number at its maximum', { type: 'integer', maximum: 3 }, 3, 2n],
    ['a switch', { type: 'boolean' }, true, false],
    ['a choice', { type: 'string', enum: ['a', 'b'] }, 'a', 'b'],
    ['a free text', { type: 'string' }, 'a', 'a-changed'],
    ['no text with a pattern', { type: 'string', pattern: '^a$' }, 'a', undefined],
    ['no choice of one', { type: 'string', enum: ['a'] }, 'a', undefined],
  ])('change %s of a custom resource', (_, schema, value, expected) => {
    const own = toValue({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: { deep: { type: 'object', properties: { field: schema } } } } },
              },
            },
          },
        ],
      },
    });
    const thing = toValue({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 't' },
      spec: { other: 1, deep: { field: value } },
    });
    if (!isMap(own) || !isMap(thing)) throw new Error('objects are maps');
    const [changed] = casesOf(thing, ['update-spec'], { ...state, objects: [own] });
    expect(changed?.skip === undefined ? valueAt(changed?.objects(undefined).object, 'spec', 'deep', 'field') : undefined).toBe(expected);
  });
});
