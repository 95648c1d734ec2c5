import { builtInResources } from '../../../../src/kubernetes/resource-table.js';
import { server } from '../../../support/server.js';
import type { Random } from '../../random.js';
import { namespaceSetup } from '../base.js';
import type { Hooks } from '../hooks.js';
import type { JsonObject, Scene, SceneRequest } from '../scene.js';
import type { Seeds } from '../seeds.js';
import { change, create, dying } from './plain.js';
import { subresources } from './subresources.js';

const conditions = [
  ...[
    "request.operation == 'CREATE'",
    'object != null && has(object.metadata.labels)',
    'oldObject == null',
    'has(object.spec)',
    'object.spec.replicas > 1',
  ],
  ...["object.metadata.name.startsWith('c')", "request.resource.group == 'apps'", "request.subResource == ''", '!has(request.subResource)'],
  ...[
    "'dev' in request.userInfo.groups",
    'request.dryRun == true',
    "object.?metadata.?labels[?'app'].orValue('') != ''",
    'has(request.userInfo.uid)',
  ],
  ...[
    'size(object.metadata.managedFields) > 0',
    'object.metadata.generation >= 1',
    'object.kind == request.kind.kind',
    "request.name != ''",
  ],
  ...[
    "request.options.kind == 'CreateOptions'",
    'has(request.options.fieldManager)',
    'request.requestKind == request.kind',
    'has(object.status)',
  ],
  ...[
    'object.metadata.uid.size() == 36',
    'object.data.all(k, v, v != "")',
    "string(object.metadata.generation) == '1'",
    'dyn(object).zzz == 1',
  ],
  ...[
    "authorizer.group('').resource('pods').check('get').allowed()",
    "object.status.phase == 'Pending'",
    '1 / int(object.metadata.generation - 1) == 1',
  ],
  ...[
    "quantity(object.spec.containers[0].resources.limits.memory).isGreaterThan(quantity('64Mi'))",
    'type(object.metadata.name) == string',
  ],
  ...[
    "object.metadata.annotations['a'] == 'b'",
    'object.spec.ports.map(p, p.port).sum() < 1000',
    'oldObject != null && object.spec == oldObject.spec',
  ],
];

/** Four configurations of many webhooks with random rules, selectors and conditions. */
export function webhookPool(r: Random, hooks: Hooks): SceneRequest[] {
  return (['mutating', 'validating'] as const).flatMap(phase =>
    ['one', 'two'].map(name => ({
      method: 'POST',
      path: `/apis/admissionregistration.k8s.io/v1/${phase}webhookconfigurations`,
      body: {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
        metadata: { name: `pool-${phase}-${name}` },
        webhooks: Array.from({ length: 7 }, (_, i) => webhook(r, hooks, { phase, name: `${phase.slice(0, 1)}-${name}-${i}` })),
      },
    })),
  );
}

/** Excludes the server's own requests, such as those that allocate a service's address. */
const notOwn = { name: 'not-own', expression: "request.userInfo.username != 'system:apiserver'" };

function webhook(r: Random, hooks: Hooks, { phase, name }: { phase: string; name: string }): JsonObject {
  const failurePolicy = r.pick(['Ignore', 'Ignore', 'Ignore', 'Fail']);
  const picked = conditions.filter(() => r.chance(5)).map((expression, i) => ({ name: `c${i}`, expression }));
  return {
    name: `${name}.example.com`,
    clientConfig: { url: hooks.url(`/${name}`), caBundle: hooks.caBundle },
    admissionReviewVersions: ['v1'],
    sideEffects: r.pick(['None', 'None', 'NoneOnDryRun']),
    failurePolicy,
    matchPolicy: r.pick(['Equivalent', 'Exact']),
    rules: Array.from({ length: 1 + r.below(2) }, () => rule(r)),
    ...(r.chance(35) ? { namespaceSelector: selector(r, ['env', 'tier', 'kubernetes.io/metadata.name', 'a']) } : {}),
    ...(r.chance(35) || failurePolicy === 'Fail' ? { objectSelector: selector(r, ['app', 'a', 'tier', 'x0', 'web']) } : {}),
    matchConditions: [notOwn, ...picked],
    ...(phase === 'mutating' ? { reinvocationPolicy: r.pick(['Never', 'IfNeeded']) } : {}),
  };
}

function rule(r: Random): JsonObject {
  const { resources } = builtInResources(server, 'default');
  const plain = (): string => r.pick(resources).resource;
  return {
    apiGroups: r.pick([['*'], ['*'], [r.pick(resources).group], ['', 'apps'], ['autoscaling']]),
    apiVersions: r.pick([['*'], ['*'], ['v1'], ['v1', 'v2'], ['v1beta1', 'v1']]),
    operations: r.pick([['*'], ['CREATE'], ['UPDATE'], ['DELETE'], ['CREATE', 'UPDATE'], ['UPDATE', 'DELETE', 'CONNECT']]),
    resources: r.pick([
      ['*'],
      ['*/*'],
      ['*/*'],
      [plain(), plain()],
      ['pods', 'deployments', 'services', 'configmaps'],
      ['*', '*/status'],
      ['*/scale'],
      ['pods/*'],
    ]),
    ...(r.chance(40) ? { scope: r.pick(['*', 'Namespaced', 'Cluster']) } : {}),
  };
}

function selector(r: Random, keys: readonly string[]): JsonObject {
  const value = (): string => r.pick(['a', 'b', '', 'v', 'x']);
  const operator = r.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  const expression = { key: r.pick(keys), operator, ...(operator.endsWith('In') ? { values: [value()] } : {}) };
  return {
    ...(r.chance(50) ? { matchLabels: { [r.pick(keys)]: value() } } : {}),
    ...(r.chance(50) ? { matchExpressions: [expression] } : {}),
  };
}

/** Calls of every kind that a pool of webhooks selects from. */
export function selection(r: Random, seeds: Seeds): Scene {
  const scene = r.pick([create, create, change, dying, subresources])(r, seeds);
  const labels = Object.fromEntries(['env', 'tier', 'a'].filter(() => r.chance(40)).map(key => [key, r.pick(['a', 'b', '', 'v', 'x'])]));
  const [namespace] = namespaceSetup(labels);
  const setup = scene.setup.map(request => (request.path === namespace?.path ? namespace : request));
  const users = [
    { username: 'jane', groups: ['dev'] },
    { username: 'joe', uid: 'u', extra: { reason: ['a', 'b'] } },
  ];
  const call = r.chance(50) ? scene.call : { ...scene.call, user: r.pick(users) };
  return { ...scene, setup, call };
}
