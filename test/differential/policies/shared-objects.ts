import { setTimeout as wait } from 'node:timers/promises';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { isMap, type ValueMap } from '../../../src/go/value.js';
import { readFolder } from '../../corpus/files.js';
import type { Hooks } from '../calls/hooks.js';
import type { Json, JsonObject } from '../calls/scene.js';
import { sendToServer } from '../calls/server.js';
import { paramKinds } from './params.js';
import { subjects } from './subjects.js';

const rbac = 'rbac.authorization.k8s.io';
const registration = 'admissionregistration.k8s.io';

/** User of some calls, with fewer rights than the administrator. */
export const developer = { username: 'jane', groups: ['devs'], extra: { team: ['x'] } };

/** Creates definitions, webhooks and roles, and a policy for each kind of parameter. Returns those that reviews need. */
export async function makeSharedObjects(hooks: Hooks): Promise<ValueMap[]> {
  const crds = readFolder('policies').find(({ name }) => name === 'crds')?.document as Record<string, JsonObject> | undefined;
  const made: string[] = [];
  for (const crd of Object.values((crds?.['crds'] ?? crds) as Record<string, JsonObject>))
    made.push(await make('apiextensions.k8s.io/v1/customresourcedefinitions', crd));
  for (const configuration of configurations(hooks))
    made.push(await make(`${registration}/v1/${String(configuration['kind']).toLowerCase()}s`, configuration));
  made.push(await make(`${rbac}/v1/clusterroles`, role), await make(`${rbac}/v1/clusterrolebindings`, roleBinding));
  // Discovery of new kinds of parameters runs every 30 seconds.
  await wait(35_000);
  await keepParameterCaches();
  const objects = await Promise.all(made.map(async path => readUnstructured((await sendToServer({ method: 'GET', path })).body)));
  return objects.filter(isMap);
}

/** Creates an object outside namespaces; returns its path. */
async function make(collection: string, object: JsonObject): Promise<string> {
  const path = `/apis/${collection}`;
  const { status, body } = await sendToServer({ method: 'POST', path, body: object });
  if (status !== 201) throw new Error(`${path}: ${status} ${body}`);
  return `${path}/${nameOf(object)}`;
}

export function nameOf(object: JsonObject): string {
  return String((object['metadata'] as JsonObject)['name']);
}

/** Two mutating webhooks for namespaces with the label `hook`, one of which wants reinvocation, and a validating one. */
function configurations(hooks: Hooks): JsonObject[] {
  const webhook = (name: string, values: string[], more: JsonObject): JsonObject => ({
    name: `${name}.example.com`,
    clientConfig: { url: hooks.url(`/${name}`), caBundle: hooks.caBundle },
    rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }],
    namespaceSelector: { matchExpressions: [{ key: 'hook', operator: 'In', values }] },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    ...more,
  });
  const configuration = (kind: string, webhooks: Json[]): JsonObject => ({
    apiVersion: `${registration}/v1`,
    kind,
    metadata: { name: 'hooks' },
    webhooks,
  });
  return [
    configuration('MutatingWebhookConfiguration', [
      webhook('m', ['needed'], { reinvocationPolicy: 'IfNeeded' }),
      webhook('n', ['needed', 'never'], {}),
    ]),
    configuration('ValidatingWebhookConfiguration', [webhook('v', ['needed', 'never'], {})]),
  ];
}

const role = {
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRole',
  metadata: { name: 'developer' },
  rules: [
    {
      apiGroups: subjects.map(({ group }) => group),
      resources: subjects.flatMap(({ resource }) => ['', '/status', '/scale', '/eviction'].map(sub => `${resource}${sub}`)),
      verbs: ['get', 'create', 'update', 'patch', 'delete', 'deletecollection'],
    },
    { nonResourceURLs: ['/healthz'], verbs: ['get'] },
  ],
};

const roleBinding = {
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name: 'developer' },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'developer' },
  subjects: [{ apiGroup: rbac, kind: 'Group', name: 'devs' }],
};

/** The cache of a parameter kind stops with its last policy and is never restarted, so one policy of each kind is kept. */
async function keepParameterCaches(): Promise<void> {
  for (const [i, { apiVersion, kind }] of paramKinds.entries())
    for (const phase of ['Validating', 'Mutating']) {
      const matchConstraints = {
        resourceRules: [{ apiGroups: ['none'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['none'] }],
      };
      await makePolicy(phase, `keep-${phase.toLowerCase()}-${i}`, { paramKind: { apiVersion, kind }, matchConstraints });
    }
}

/** Creates a policy that does next to nothing, with a binding: a validation warns, a mutation adds data to a ConfigMap. */
export async function makePolicy(phase: string, name: string, spec: JsonObject): Promise<void> {
  const apiVersion = `${registration}/v1`;
  const applyConfiguration = { expression: 'Object{data: {"seen": "yes"}}' };
  const rules: JsonObject =
    phase === 'Validating'
      ? { validations: [{ expression: "has(object.data) && object.data.seen == 'never'" }] }
      : { reinvocationPolicy: 'Never', mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration }] };
  const actions: JsonObject = phase === 'Validating' ? { validationActions: ['Warn'] } : {};
  const kind = `${phase}AdmissionPolicy`;
  const policy = { apiVersion, kind, metadata: { name }, spec: { ...spec, ...rules } };
  const binding = { apiVersion, kind: `${kind}Binding`, metadata: { name }, spec: { policyName: name, ...actions } };
  await make(collectionOf(policy), policy);
  await make(collectionOf(binding), binding);
}

/** Group, version and resource of a policy or binding: `admissionregistration.k8s.io/v1/validatingadmissionpolicies`. */
export function collectionOf(object: JsonObject): string {
  const plural = `${String(object['kind']).toLowerCase()}s`.replace(/ys$/, 'ies');
  return `${registration}/v1/${plural}`;
}
