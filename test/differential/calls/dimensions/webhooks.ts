import type { Random } from '../../random.js';
import { changed, jsonPatchOf } from '../changes.js';
import type { Hooks } from '../hooks.js';
import type { JsonObject, Scene, SceneRequest } from '../scene.js';
import type { Seeds } from '../seeds.js';
import { change, create, dying } from './plain.js';

const conditions = [
  "object != null && object.metadata.name.startsWith('a')",
  "request.operation == 'CREATE'",
  'has(object.metadata.labels)',
  'object.spec.replicas > 1',
  "!('kube' in oldObject.metadata.labels)",
  "request.userInfo.username != 'x' || request.dryRun",
  "variables.x == 'a'",
  'size(object.metadata.annotations) > 0',
  "authorizer.group('').resource('pods').check('get').allowed()",
];

const paths = ['/m0', '/m1', '/m2', '/m3', '/v0', '/v1', '/v2'];

/** Configurations with several webhooks with random rules and conditions. */
export function sharedWebhooks(r: Random, hooks: Hooks): SceneRequest[] {
  const one = (path: string): JsonObject => ({
    name: `w${path.slice(1)}.example.com`,
    clientConfig: { url: hooks.url(path), caBundle: hooks.caBundle },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: r.pick(['Fail', 'Fail', 'Ignore']),
    matchPolicy: r.pick(['Exact', 'Equivalent']),
    rules: [
      {
        apiGroups: ['*'],
        apiVersions: [r.pick(['*', 'v1'])],
        operations: [r.pick(['*', 'CREATE', 'UPDATE'])],
        resources: [r.pick(['*', '*/*', 'pods', '*/status'])],
        scope: r.pick(['*', 'Namespaced']),
      },
    ],
    ...(r.chance(40) ? { matchConditions: [{ name: 'c', expression: r.pick(conditions) }] } : {}),
    ...(r.chance(25)
      ? { objectSelector: { matchExpressions: [{ key: r.pick(['app', 'l']), operator: r.pick(['Exists', 'DoesNotExist']) }] } }
      : {}),
    ...(path.startsWith('/m') && r.chance(50) ? { reinvocationPolicy: 'IfNeeded' } : {}),
  });
  return (['mutating', 'validating'] as const).map(phase => ({
    method: 'POST',
    path: `/apis/admissionregistration.k8s.io/v1/${phase}webhookconfigurations`,
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
      metadata: { name: `random-${phase}` },
      webhooks: paths.filter(path => path.startsWith(`/${phase.slice(0, 1)}`)).map(one),
    },
  }));
}

/** Calls that several webhooks patch, deny and warn about. */
export function webhooks(r: Random, seeds: Seeds): Scene {
  const scene = r.pick([create, create, change, dying])(r, seeds);
  const body = scene.setup.at(-1)?.body ?? scene.call.body;
  const object = scene.call.method === 'POST' ? scene.call.body : body;
  const replies = Object.fromEntries(
    paths.map(path => [path, Array.from({ length: 3 }, () => reply(r, path, { object: object as JsonObject, seeds }))]),
  );
  return { ...scene, replies };
}

function reply(r: Random, path: string, { object, seeds }: { object: JsonObject; seeds: Seeds }): JsonObject {
  const warnings = r.chance(15) ? { warnings: [r.pick(['careful', 'ünï', 'w'.repeat(300)])] } : {};
  const annotations = r.chance(10) ? { auditAnnotations: { a: 'b' } } : {};
  if (r.chance(path.startsWith('/v') ? 15 : 5)) {
    return {
      allowed: false,
      status: r.pick([{}, { message: 'no' }, { code: 418, message: 'tea', reason: 'X' }, { code: 200 }]),
      ...warnings,
    };
  }
  if (path.startsWith('/v') || r.chance(50)) return { allowed: true, ...warnings, ...annotations };
  const operations = r.chance(10)
    ? r.pick([[{ op: 'test', path: '/kind', value: 'X' }], [{ op: 'remove', path: '/nothing' }], []])
    : jsonPatchOf(object, changed(r, object, seeds, 1));
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64'), ...warnings };
}
