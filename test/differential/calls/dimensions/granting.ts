import type { RequestedUser } from '../../../../src/kubernetes/api-call.js';
import type { Random } from '../../random.js';
import { namespaceSetup } from '../base.js';
import { applyPatch, type Json, type JsonObject, jsonPatch, mergePatch, type Scene, type SceneRequest } from '../scene.js';

const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;
const root = `/apis/${apiVersion}`;
const plurals = { Role: 'roles', ClusterRole: 'clusterroles', RoleBinding: 'rolebindings', ClusterRoleBinding: 'clusterrolebindings' };
type Kind = keyof typeof plurals;

/** Users with some permissions who write roles and bindings, which may grant more. */
export function granting(r: Random): Scene {
  const user = r.pick<RequestedUser>([{ username: '{id}-jane', groups: ['{id}-dev'] }, { username: 'system:serviceaccount:{id}:default' }]);
  // A subject of all users would grant the permissions to the users of other scenes.
  const subject = r.pick<JsonObject>([
    { kind: 'User', name: user.username, apiGroup: group },
    { kind: 'Group', name: user.groups === undefined ? 'system:serviceaccounts:{id}' : '{id}-dev', apiGroup: group },
  ]);
  const permissions: JsonObject[] = [{ apiGroups: [group], resources: r.pick([['*'], ['*/*', '*']]), verbs: writes }];
  for (let i = r.below(4); i > 0; i -= 1) permissions.push(rule(r, true));
  if (r.chance(20)) permissions.push({ apiGroups: [group], resources: ['*'], verbs: r.pick([['escalate'], ['bind'], ['*']]) });
  if (r.chance(15)) permissions.push({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }, { nonResourceURLs: ['*'], verbs: ['*'] });
  const isWide = r.chance(70);
  const [role, binding] = isWide ? (['ClusterRole', 'ClusterRoleBinding'] as const) : (['Role', 'RoleBinding'] as const);
  const rules = isWide ? permissions : permissions.filter(one => one['nonResourceURLs'] === undefined);
  const grant = [
    post(role, { metadata: { name: '{id}-own' }, rules }),
    post(binding, { metadata: { name: '{id}-own' }, roleRef: reference(role, '{id}-own'), subjects: [subject] }),
  ];
  const target = r.chance(70) ? [post('ClusterRole', { metadata: { name: '{id}-target' }, rules: [rule(r, false), rule(r, true)] })] : [];
  return { setup: [...namespaceSetup(), ...target, ...grant, ...stored(r)], pause: 250, call: { ...call(r), user } };
}

const writes = ['get', 'create', 'update', 'patch', 'delete'];

function collectionOf(kind: Kind): string {
  return `${root}/${kind.startsWith('Cluster') ? '' : 'namespaces/{id}/'}${plurals[kind]}`;
}

function post(kind: Kind, object: JsonObject): SceneRequest {
  return { method: 'POST', path: collectionOf(kind), body: { apiVersion, kind, ...object } };
}

function reference(kind: string, name: string): JsonObject {
  return { apiGroup: group, kind, name };
}

function rule(r: Random, isSmall: boolean): JsonObject {
  const some = (...values: string[]): Json => Array.from({ length: isSmall ? 1 : 1 + r.below(3) }, () => r.pick(values));
  if (r.chance(12)) return { nonResourceURLs: some('/healthz', '/a/*', '*', '/a/b', '/a**'), verbs: some('get', 'post', '*') };
  return {
    apiGroups: some('', 'apps', '*', 'a"b'),
    resources: some('pods', 'pods/log', 'pods/status', '*/status', '*', 'configmaps', 'deployments'),
    verbs: some('get', 'list', 'create', '*', 'watch'),
    ...(r.chance(25) ? { resourceNames: some('x', 'y', 'z') } : {}),
  };
}

/** Objects that updates change. */
function stored(r: Random): SceneRequest[] {
  const aggregated = r.chance(30) ? { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: '{id}' } }] } } : {};
  return [
    post('Role', { metadata: { name: 'a' }, rules: [rule(r, true)] }),
    post('ClusterRole', { metadata: { name: '{id}-a' }, rules: [rule(r, true)], ...aggregated }),
    post('RoleBinding', { metadata: { name: 'a' }, roleRef: reference('ClusterRole', '{id}-target'), subjects: [] }),
    post('ClusterRoleBinding', { metadata: { name: '{id}-a' }, roleRef: reference('ClusterRole', '{id}-target'), subjects: [] }),
  ];
}

function call(r: Random): SceneRequest {
  const kind = r.pick<Kind>(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']);
  const isBinding = kind.endsWith('Binding');
  const name = kind.startsWith('Cluster') ? '{id}-a' : 'a';
  const written = isBinding
    ? {
        roleRef: reference(
          r.pick(['Role', 'ClusterRole', 'ClusterRole', 'ClusterRole', 'Other']),
          r.pick(['{id}-target', '{id}-target', 'a', 'none', 'cluster-admin', 'system:node-bootstrapper', 'system:heapster']),
        ),
        subjects: [{ kind: 'User', name: 'x', apiGroup: group }],
      }
    : {
        rules: Array.from({ length: 1 + r.below(3) }, () => rule(r, false)),
        ...(kind === 'ClusterRole' && r.chance(15) ? { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: '{id}' } }] } } : {}),
      };
  const query = r.pick(['', '', '?dryRun=All', '?fieldManager=me']);
  const path = `${collectionOf(kind)}/${name}${query}`;
  const metadata = r.pick<JsonObject>([{ name: '{id}-new' }, { name: '{id}-new' }, { generateName: '{id}-' }, {}]);
  return r.pick<() => SceneRequest>([
    () => ({ method: 'POST', path: collectionOf(kind) + query, body: { apiVersion, kind, metadata, ...written } }),
    () => ({ method: 'POST', path: collectionOf(kind) + query, body: { apiVersion, kind, metadata, ...written } }),
    () => ({ method: 'PUT', path, body: { apiVersion, kind, metadata: { name }, ...written } }),
    () => ({
      method: 'PUT',
      path: path.replace(`/${name}`, '/{id}-new'),
      body: { apiVersion, kind, metadata: { name: '{id}-new' }, ...written },
    }),
    () => ({ method: 'PATCH', path, contentType: mergePatch, body: written }),
    () => ({ method: 'PATCH', path, contentType: jsonPatch, body: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }] }),
    () => ({ method: 'PATCH', path, contentType: mergePatch, body: { metadata: { finalizers: ['a/b'], resourceVersion: '1' } } }),
    () => ({ method: 'PATCH', path, contentType: mergePatch, body: { metadata: { finalizers: ['a/b'] } } }),
    () => ({
      method: 'PATCH',
      path: `${path.split('?', 1)[0]}?fieldManager=x&force=true`,
      contentType: applyPatch,
      body: { apiVersion, kind, metadata: { name }, ...written },
    }),
  ])();
}
