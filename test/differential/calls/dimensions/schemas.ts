import type { Random } from '../../random.js';
import { namespaceSetup } from '../base.js';
import { mergePatchOf } from '../changes.js';
import { randomSchema } from '../random-schema.js';
import { randomFitting } from '../random-values.js';
import { applyPatch, isObject, type JsonObject, jsonPatch, memberOf, mergePatch, type Scene, type SceneRequest } from '../scene.js';
import { sparse } from './apply.js';

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Random definitions; the API server refuses some. */
export function randomDefinitions(r: Random): SceneRequest[] {
  return Array.from({ length: 45 }, (_, i) => ({
    method: 'POST',
    path: definitionsPath,
    body: randomDefinition(r, `n${i}`),
    mayFail: true,
  }));
}

/** A definition of one or two versions with random schemas. */
export function randomDefinition(r: Random, id: string): JsonObject {
  const group = `${id}.schemas.example.com`;
  const names = r.chance(65) ? ['v1'] : ['v1', 'v1beta1'];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: names.map(name => version(r, name)),
    },
  };
}

function version(r: Random, name: string): JsonObject {
  const spec = randomSchema(r);
  const properties = isObject(spec['properties']) ? spec['properties'] : {};
  const replicas = r.chance(40);
  if (replicas) properties['replicas'] = { type: 'integer', ...r.pick([{}, { minimum: 0 }, { default: 1 }]) };
  const status = randomSchema(r, 1);
  if (isObject(status['properties'])) status['properties']['replicas'] = { type: 'integer' };
  const root = {
    type: 'object',
    properties: { spec, status },
    ...(r.chance(30) ? { required: ['spec'] } : {}),
    ...(r.chance(15)
      ? {
          'x-kubernetes-validations': [
            r.pick([{ rule: 'has(self.spec) == has(oldSelf.spec)' }, { rule: '!has(self.status) || has(self.spec)' }]),
          ],
        }
      : {}),
    ...(r.chance(10) ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
  };
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const subresources = r.chance(60) ? { subresources: { status: {}, ...(replicas && r.chance(70) ? { scale } : {}) } } : {};
  const deprecated = name !== 'v1' && r.chance(30) ? { deprecated: true } : {};
  return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema: root }, ...subresources, ...deprecated };
}

/** Calls on objects of random definitions. */
export function schemas(r: Random, _: unknown, shared: readonly SceneRequest[]): Scene {
  const definition = r.pick(shared.filter(({ path }) => path === definitionsPath)).body;
  const versions = memberOf(definition, 'spec', 'versions');
  const used = r.pick(Array.isArray(versions) ? versions : []);
  const [group, name] = [memberOf(definition, 'spec', 'group'), String(memberOf(used, 'name'))];
  const apiVersion = `${String(group)}/${name}`;
  const collection = `/apis/${apiVersion}/namespaces/{id}/things`;
  const make = (wrong: number): JsonObject => objectOf(r, used, { apiVersion, wrong });
  const query = r.pick([
    '',
    '',
    '?fieldManager=my-tool',
    '?fieldValidation=Strict',
    '?fieldValidation=Warn',
    '?fieldValidation=Ignore',
    '?dryRun=All',
  ]);
  const wrong = r.pick([0, 0, 3, 6, 12]);
  if (r.chance(40)) return { setup: namespaceSetup(), call: { method: 'POST', path: collection + query, body: make(wrong) } };
  const first = make(0);
  const setup = [...namespaceSetup(), { method: 'POST', path: `${collection}?fieldManager=first`, body: first }];
  return { setup, call: changeCall(r, `${collection}/obj`, { query, first, next: make(wrong) }) };
}

interface Change {
  readonly query: string;
  readonly first: JsonObject;
  readonly next: JsonObject;
}

function changeCall(r: Random, path: string, { query, first, next }: Change): SceneRequest {
  const { metadata: _own, ...rest } = mergePatchOf(first, next) as JsonObject;
  const applied = sparse(r, next, r.pick([50, 100]));
  return r.pick<() => SceneRequest>([
    () => ({ method: 'PUT', path: path + query, body: next }),
    () => ({ method: 'PUT', path: path + query, body: next }),
    () => ({ method: 'PUT', path: `${path}/status${query}`, body: next }),
    () => ({ method: 'PATCH', path: path + query, contentType: mergePatch, body: rest }),
    () => ({ method: 'PATCH', path: `${path}/status${query}`, contentType: mergePatch, body: rest }),
    () => ({
      method: 'PATCH',
      path: path + query,
      contentType: jsonPatch,
      body: [{ op: 'add', path: '/spec', value: next['spec'] ?? {} }],
    }),
    () => ({
      method: 'PATCH',
      path: `${path}?fieldManager=${r.pick(['first', 'second'])}&force=true`,
      contentType: applyPatch,
      body: applied,
    }),
    () => ({ method: 'PATCH', path: `${path}?fieldManager=second`, contentType: applyPatch, body: applied }),
    () => ({
      method: 'PATCH',
      path: `${path}/scale`,
      contentType: mergePatch,
      body: { spec: { replicas: r.pick([0, 1, 3, -1, null, 'x', 2_147_483_648]) } },
    }),
    () => ({ method: r.pick(['DELETE', 'GET']), path }),
  ])();
}

function objectOf(r: Random, version: Scene['call']['body'], { apiVersion, wrong }: { apiVersion: string; wrong: number }): JsonObject {
  const root = memberOf(version, 'schema', 'openAPIV3Schema', 'properties');
  const part = (name: string): JsonObject => ({ [name]: randomFitting(r, memberOf(root, name) as JsonObject, wrong) });
  const metadata = r.chance(80)
    ? {}
    : r.pick<JsonObject>([{ labels: { a: 'b' } }, { finalizers: ['a/b'] }, { zzz: 1 }, { labels: { a: 5 } }, { labels: null }]);
  return {
    apiVersion,
    kind: 'Thing',
    metadata: { name: 'obj', ...(wrong > 0 ? metadata : {}) },
    ...(r.chance(95) ? part('spec') : {}),
    ...(r.chance(30) ? part('status') : {}),
    ...(r.chance(wrong) ? { [r.pick(['extra', 'Spec', 'data'])]: r.pick([1, {}, 'x']) } : {}),
  };
}
