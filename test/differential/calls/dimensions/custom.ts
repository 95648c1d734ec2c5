import type { Random } from '../../random.js';
import { namespaceSetup } from '../base.js';
import type { Hooks } from '../hooks.js';
import { applyPatch, type JsonObject, memberOf, mergePatch, type Scene, type SceneRequest } from '../scene.js';

const versions = ['v1', 'v1beta1', 'v1alpha1'];

/** Definitions of several versions with their own defaults, one of them converted by a webhook. */
export function sharedDefinitions(r: Random, hooks: Hooks): SceneRequest[] {
  // The definitions of an earlier run may still be terminating.
  const group = `r${Date.now().toString(36)}${r.below(1000)}.example.com`;
  return ['None', 'Webhook'].map(strategy => {
    const name = strategy.toLowerCase();
    const webhook = { clientConfig: { url: hooks.url('/convert'), caBundle: hooks.caBundle }, conversionReviewVersions: ['v1'] };
    const conversion = strategy === 'None' ? { strategy } : { strategy, webhook };
    return {
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${name}s.${group}` },
        spec: {
          group,
          names: { kind: `${strategy}Thing`, plural: `${name}s` },
          scope: 'Namespaced',
          conversion,
          versions: versions.map((version, i) => ({
            name: version,
            served: true,
            storage: i === 1,
            schema: { openAPIV3Schema: schemaOf(version) },
            subresources: i === 2 ? {} : subresources,
          })),
        },
      },
    };
  });
}

const subresources = { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } };

function schemaOf(version: string): JsonObject {
  const deep = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const list = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, port: { type: 'integer', default: 80 } } },
  };
  const spec = {
    type: 'object',
    default: {},
    properties: {
      [version === 'v1' ? 'size' : 'amount']: { type: 'integer', maximum: 100, default: 3 },
      [`only${version}`]: { type: 'string', default: version },
      mode: { type: 'string', enum: ['a', 'b'], nullable: true },
      replicas: { type: 'integer', minimum: 0 },
      list,
      deep,
    },
    'x-kubernetes-validations': [{ rule: '!has(self.replicas) || self.replicas < 50', message: 'too many' }],
  };
  return { type: 'object', properties: { spec, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };
}

/** Calls on custom resources stored in one version and requested in another. */
export function custom(r: Random, _: unknown, shared: readonly SceneRequest[]): Scene {
  const group = String(memberOf(shared[0]?.body, 'spec', 'group'));
  const [plural, kind] = r.pick([
    ['nones', 'NoneThing'],
    ['webhooks', 'WebhookThing'],
  ] as const);
  const at = (version: string): string => `/apis/${group}/${version}/namespaces/{id}/${plural}`;
  const make = (): { version: string; body: JsonObject } => {
    const version = r.pick(versions);
    return {
      version,
      body: {
        apiVersion: `${group}/${version}`,
        kind,
        metadata: { name: 'a', labels: { l: r.pick(['1', '2']) }, finalizers: r.chance(15) ? ['a.b/c'] : [] },
        ...(r.chance(90) ? { spec: specOf(r) } : {}),
      },
    };
  };
  const [before, after] = [make(), make()];
  const path = `${at(after.version)}/a`;
  const stored: SceneRequest = {
    method: 'POST',
    path: at(before.version),
    body: { ...before.body, spec: { replicas: r.below(4), list: [{ name: 'a' }] } },
  };
  const call = r.pick<() => SceneRequest>([
    () => ({ method: 'PUT', path, body: after.body }),
    () => ({ method: 'PATCH', path, contentType: mergePatch, body: { spec: specOf(r) } }),
    () => ({ method: 'PATCH', path: `${path}?fieldManager=me&force=true`, contentType: applyPatch, body: after.body }),
    () => ({
      method: 'PATCH',
      path: `${path}/${r.pick(['status', 'scale'])}`,
      contentType: mergePatch,
      body: { spec: { replicas: r.pick([1, 2, 60, -1, null]) }, status: { replicas: 1 } },
    }),
    () => ({ method: 'DELETE', path: r.pick([path, at(after.version)]) }),
    () => ({ method: 'GET', path: r.pick([path, at(after.version), `${path}/scale`]) }),
  ])();
  if (r.chance(30)) return { setup: namespaceSetup(), call: { method: 'POST', path: at(after.version), body: after.body } };
  return { setup: [...namespaceSetup(), stored], call };
}

function specOf(r: Random): JsonObject {
  const members: JsonObject = {
    size: r.pick([1, 101, 'x', 1.5]),
    amount: r.pick([5, 1000, null]),
    mode: r.pick(['a', 'c', null]),
    replicas: r.pick([0, 3, 51, -1]),
    list: r.pick([[{ name: 'a' }], [{ name: 'a' }, { name: 'a' }], [{ port: 1 }], [{ name: 'b', port: 8080, x: 1 }]]),
    deep: r.pick([{ a: { b: [1, 2.5, null] } }, { 'x.y': { kind: 'X' } }, []]),
    unknown: 1,
    onlyv1: 'x',
  };
  const chosen = Object.entries(members).filter(() => r.chance(30));
  return Object.fromEntries(chosen);
}
