import type { Random } from '../../random.js';
import { placed } from '../base.js';
import { mergePatch, type Scene, type SceneRequest } from '../scene.js';
import type { Seeds } from '../seeds.js';
import { granting } from './granting.js';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const verbs = ['get', 'list', 'create', 'update', 'patch', 'delete', 'deletecollection', '*', 'escalate', 'bind'];

/** Calls of users with few permissions: the server must run with `--authorization-mode=RBAC`. */
export function denied(r: Random, seeds: Seeds): Scene {
  if (r.chance(45)) return granting(r);
  const { manifest, collection, path, around } = placed(
    r,
    seeds,
    r.chance(30) ? r.pick(['Role', 'RoleBinding', 'ClusterRole']) : undefined,
  );
  const [, group = '', , , resource = ''] =
    /^\/(?:api\/v1|apis\/([^/]+)\/([^/]+))(\/namespaces\/[^/]+)?\/(([^/]+))$/.exec(collection) ?? [];
  const rule = {
    apiGroups: [r.pick([group, '*', 'x'])],
    resources: [r.pick([resource, resource, '*', `${resource}/status`, `${resource}/*`])],
    verbs: [r.pick(verbs), r.pick(verbs)],
    ...(r.chance(20) ? { resourceNames: [r.pick(['a', '{id}'])] } : {}),
  };
  const user = r.pick([
    { username: '{id}-jane' },
    { username: '{id}-jane', groups: ['dev'] },
    { username: 'system:serviceaccount:{id}:default' },
  ]);
  const subject = r.pick([
    { kind: 'User', name: '{id}-jane', apiGroup: 'rbac.authorization.k8s.io' },
    { kind: 'ServiceAccount', name: 'default', namespace: '{id}' },
  ]);
  const namespaced = around.length > 0 && r.chance(60);
  const at = namespaced ? `${rbac}/namespaces/{id}/` : `${rbac}/cluster`;
  const [role, binding] = namespaced ? ['Role', 'RoleBinding'] : ['ClusterRole', 'ClusterRoleBinding'];
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const grant: SceneRequest[] = [
    { method: 'POST', path: `${at}roles`, body: { apiVersion, kind: role, metadata: { name: '{id}-granted' }, rules: [rule] } },
    {
      method: 'POST',
      path: `${at}rolebindings`,
      body: {
        apiVersion,
        kind: binding,
        metadata: { name: '{id}-granted' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: role, name: '{id}-granted' },
        subjects: [subject],
      },
    },
  ];
  const call = r.pick<SceneRequest>([
    { method: 'POST', path: collection, body: manifest },
    { method: 'PUT', path, body: manifest },
    { method: 'PATCH', path, contentType: mergePatch, body: { metadata: { labels: { a: 'b' } } } },
    { method: 'PATCH', path: `${path}/status`, contentType: mergePatch, body: {} },
    { method: 'DELETE', path },
    { method: 'DELETE', path: collection },
    { method: 'GET', path },
    { method: 'GET', path: collection },
  ]);
  const stored: SceneRequest[] = call.method === 'POST' ? [] : [{ method: 'POST', path: collection, body: manifest }];
  // Other scenes have objects in the same collection.
  const isWide = around.length === 0 && call.method !== 'POST' && call.path === collection;
  return { setup: [...around, ...grant, ...stored], call: { ...call, ...(isWide ? { method: 'GET', path } : {}), user } };
}
