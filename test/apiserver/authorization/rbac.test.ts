import { describe, expect, it } from 'vitest';
import { authorizerOf } from '../../../src/apiserver/authorization/authorizer-of.js';
import { rbacAuthorizer } from '../../../src/apiserver/authorization/rbac.js';
import { isMap, toValue, type ValueMap } from '../../../src/go/value.js';
import type { UserInfo } from '../../../src/kubernetes/api-call.js';
import { flagValues, serverOptions } from '../../../src/kubernetes/server-options.js';
import { storageOf } from '../../../src/kubernetes/storage.js';
import { clusterStateWith } from '../../support/cluster-state.js';

const alice: UserInfo = { username: 'alice', uid: '', groups: ['devs', 'system:authenticated'], extra: new Map() };
const builder: UserInfo = { ...alice, username: 'system:serviceaccount:team:builder', groups: ['system:serviceaccounts'] };
const admin: UserInfo = { ...alice, username: 'root', groups: ['system:masters'] };

const role = (name: string, ...rules: object[]) => ({ metadata: { name, namespace: 'team' }, kind: 'Role', rules });
const objects = [
  role('dev', { verbs: ['create', 'get'], apiGroups: [''], resources: ['pods', '*/log'] }),
  role('one', { verbs: ['*'], apiGroups: ['apps'], resources: ['deployments/scale'], resourceNames: ['web'] }),
  { kind: 'ClusterRole', metadata: { name: 'paths' }, rules: [{ verbs: ['get'], nonResourceURLs: ['/metrics', '/debug/*'] }] },
  binding('RoleBinding', 'devs', { role: ['Role', 'dev'], subject: { kind: 'Group', name: 'devs' } }),
  binding('RoleBinding', 'build', { role: ['Role', 'one'], subject: { kind: 'ServiceAccount', name: 'builder' } }),
  binding('RoleBinding', 'lost', { role: ['Role', 'gone'], subject: { kind: 'User', name: 'alice' } }),
  binding('ClusterRoleBinding', 'paths', { role: ['ClusterRole', 'paths'], subject: { kind: 'User', name: 'alice' } }),
].map(objectOf);

function binding(kind: string, name: string, { role: [roleKind, roleName], subject }: { role: [string, string]; subject: object }) {
  const namespace = kind === 'RoleBinding' ? 'team' : undefined;
  return { kind, metadata: { name, namespace }, roleRef: { kind: roleKind, name: roleName }, subjects: [subject] };
}

function objectOf(data: object): ValueMap {
  const value = toValue({ apiVersion: 'rbac.authorization.k8s.io/v1', ...data });
  if (!isMap(value)) throw new Error('no object');
  return value;
}

const state = clusterStateWith({ objects, presumesNamespaces: false });
const authorizer = rbacAuthorizer(storageOf(state));
const pods = { group: '', resource: 'pods', subresource: '', namespace: 'team', name: '', fieldSelector: '', labelSelector: '' };
const missing = 'RBAC: role.rbac.authorization.k8s.io "gone" not found';

describe('roles and bindings', () => {
  it.each([
    ['a group’s role', { user: alice, verb: 'create', ...pods }, 'RBAC: allowed by RoleBinding "devs/team" of Role "dev" to Group "devs"'],
    [
      'a subresource of any resource',
      { user: alice, verb: 'get', ...pods, subresource: 'log' },
      'RBAC: allowed by RoleBinding "devs/team" of Role "dev" to Group "devs"',
    ],
    [
      'one name, for a service account of the binding’s namespace',
      { user: builder, verb: 'patch', ...pods, group: 'apps', resource: 'deployments', subresource: 'scale', name: 'web' },
      'RBAC: allowed by RoleBinding "build/team" of Role "one" to ServiceAccount "builder/team"',
    ],
    [
      'a path',
      { user: alice, verb: 'get', path: '/metrics' },
      'RBAC: allowed by ClusterRoleBinding "paths" of ClusterRole "paths" to User "alice"',
    ],
    [
      'a path under another',
      { user: alice, verb: 'get', path: '/debug/pprof' },
      'RBAC: allowed by ClusterRoleBinding "paths" of ClusterRole "paths" to User "alice"',
    ],
    [
      'what every user may',
      { user: alice, verb: 'get', path: '/healthz' },
      'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
    ],
    ['administrators, without a word', { user: admin, verb: 'delete', ...pods }, ''],
  ] as const)('allow %s', (_, question, reason) => {
    expect(authorizer.authorize(question)).toEqual({ allowed: true, reason, error: undefined });
  });

  it.each([
    ['another verb, with what went wrong on the way', { user: alice, verb: 'delete', ...pods }, missing],
    ['another namespace', { user: alice, verb: 'create', ...pods, namespace: 'other' }, ''],
    [
      'another name',
      { user: builder, verb: 'patch', ...pods, group: 'apps', resource: 'deployments', subresource: 'scale', name: 'db' },
      '',
    ],
    ['another verb of a path', { user: alice, verb: 'post', path: '/metrics' }, ''],
  ] as const)('do not allow %s', (_, question, reason) => {
    expect(authorizer.authorize(question)).toEqual({ allowed: false, reason, error: undefined });
  });
});

describe('the authorizer of a state', () => {
  const question = { user: alice, verb: 'delete', ...pods };

  it('allows everything, with a note, where there are no roles', () => {
    const record = { notes: [] as string[] };
    const empty = clusterStateWith({ presumesNamespaces: false });
    const answer = authorizerOf({ state: empty, storage: storageOf(empty), record }).authorize(question);
    expect(answer.allowed).toBe(true);
    expect(record.notes).toEqual(['authorizer: all requests are allowed, because the state has no roles and bindings']);
  });

  it.each([
    ['the one that is deleted', { operation: 'DELETE', name: 'dev' }, true],
    ['those of a collection that is deleted', { operation: 'DELETE', name: '' }, true],
    ['another than the one that is updated', { operation: 'UPDATE', name: 'other' }, false],
    ['one beside a new object whose name is generated', { operation: 'CREATE', name: '' }, false],
  ] as const)('allows everything where the state has no roles but the called ones: %s', (_, called, allowed) => {
    const kind = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'Role' };
    const one = { ...state, objects: objects.slice(0, 1) };
    const parts = { state: one, storage: storageOf(one), record: { notes: [] } };
    expect(authorizerOf(parts, { ...called, kind, namespace: 'team' }).authorize(question).allowed).toBe(allowed);
  });

  it('evaluates roles if a flag requests it, or if there are any', () => {
    const byFlag = clusterStateWith({ presumesNamespaces: false, options: serverOptions(flagValues(['--authorization-mode=Node,RBAC'])) });
    expect(authorizerOf({ state: byFlag, storage: storageOf(byFlag), record: { notes: [] } }).authorize(question).allowed).toBe(false);
    expect(authorizerOf({ state, storage: storageOf(state), record: { notes: [] } }).authorize(question).allowed).toBe(false);
  });
});
