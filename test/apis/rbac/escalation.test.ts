import { describe, expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { flagValues, serverOptions } from '../../../src/kubernetes/server-options.js';
import { clusterStateWith } from '../../support/cluster-state.js';
import { mapOf } from '../../support/map-of.js';

const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;

function clusterRole(name: string, rules: readonly object[], more: object = {}): object {
  return { apiVersion, kind: 'ClusterRole', metadata: { name, uid: 'u', resourceVersion: '7' }, rules, ...more };
}

function bindingTo(name: string): object {
  return { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef: { apiGroup: group, kind: 'ClusterRole', name } };
}

const getPods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const everyVerb = ['get', 'list', 'watch', 'create', 'delete', 'deletecollection', 'patch', 'update', 'impersonate'];
const own = { ...bindingTo('own'), subjects: [{ kind: 'User', name: 'jane', apiGroup: group }] };

/** Makes jane's call, who has these permissions, and returns the status and the message. */
async function answer(permissions: readonly object[], call: { method: string; path: string; object: object }) {
  const objects = [clusterRole('own', permissions), own, clusterRole('stored', [getPods])].map(mapOf);
  const { method, object } = call;
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const sent = { method, path: `/apis/${apiVersion}/${call.path}`, contentType, body: Buffer.from(JSON.stringify(object)) };
  const state = clusterStateWith({ objects, options: serverOptions(flagValues(['--authorization-mode=RBAC'])) });
  const noWebhook = () => Promise.reject(new Error('no webhook is registered'));
  const report = await handleCall({ ...sent, user: { username: 'jane', groups: ['dev'] } }, state, effectsFor(noWebhook));
  return { status: report.answer.status, message: JSON.parse(report.answer.body).message };
}

describe('a role', () => {
  const creation = (rules: readonly object[], more: object = {}) => ({
    method: 'POST',
    path: 'clusterroles',
    object: clusterRole('new', rules, { metadata: { name: 'new' }, ...more }),
  });

  it('may grant what its writer is allowed', async () => {
    expect((await answer([{ ...getPods, resources: ['*'] }], creation([getPods]))).status).toBe(201);
  });

  it('may not grant more', async () => {
    const rules = [
      { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['list', 'get'] },
      { nonResourceURLs: ['/a/b'], verbs: ['get'] },
    ];
    expect(await answer([getPods, { nonResourceURLs: ['/c/*'], verbs: ['*'] }], creation(rules))).toEqual({
      status: 403,
      message:
        `clusterroles.${group} "new" is forbidden: user "jane" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC ` +
        'permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["list"]}\n' +
        '{APIGroups:[""], Resources:["pods/log"], Verbs:["list" "get"]}\n{NonResourceURLs:["/a/b"], Verbs:["get"]}',
    });
  });

  it('may grant everything with the verb escalate', async () => {
    const escalate = { apiGroups: [group], resources: ['clusterroles'], verbs: ['escalate'] };
    expect((await answer([escalate], creation([getPods]))).status).toBe(201);
  });

  it('needs all permissions to aggregate others', async () => {
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    expect((await answer([getPods], creation([getPods], { aggregationRule }))).message).toBe(
      `clusterroles.${group} "new" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    );
  });

  it('may change its finalizers without the permissions, but not its labels', async () => {
    const patch = (metadata: object) => answer([], { method: 'PATCH', path: 'clusterroles/stored', object: { metadata } });
    expect((await patch({ finalizers: ['a/b'] })).status).toBe(200);
    expect((await patch({ labels: { a: 'b' } })).status).toBe(403);
  });
});

describe('a role binding', () => {
  const creation = (role: string) => ({ method: 'POST', path: 'clusterrolebindings', object: bindingTo(role) });

  it('needs the permissions of its role, or the verb bind', async () => {
    const bind = { apiGroups: [group], resources: ['clusterroles'], resourceNames: ['stored'], verbs: ['bind'] };
    expect((await answer([], creation('stored'))).message).toContain('{APIGroups:[""], Resources:["pods"], Verbs:["get"]}');
    expect((await answer([getPods], creation('stored'))).status).toBe(201);
    expect((await answer([bind], creation('stored'))).status).toBe(201);
  });

  it('needs the permissions of a default role that the state does not contain', async () => {
    const missing = (await answer([getPods], creation('view'))).message;
    expect(missing).toContain('{APIGroups:[""], Resources:["pods/log"], Verbs:["get" "list" "watch"]}');
    expect(missing).not.toContain('Verbs:["create"');
    expect((await answer([getPods], creation('edit'))).message).toContain(
      '{APIGroups:[""], Resources:["pods/log"], Verbs:["get" "list" "watch"]}',
    );
    expect((await answer([{ ...getPods, resources: ['*'], apiGroups: ['*'], verbs: everyVerb }], creation('view'))).status).toBe(201);
    expect((await answer([getPods], creation('cluster-admin'))).status).toBe(403);
    expect((await answer([getPods], creation('system:node-bootstrapper'))).status).toBe(403);
  });

  it('of a missing role is not found', async () => {
    expect(await answer([getPods], creation('none'))).toEqual({ status: 404, message: `clusterrolebindings.${group} "none" not found` });
  });
});
