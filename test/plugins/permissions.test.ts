import { describe, expect, it } from 'vitest';
import { handleCall } from '../../src/apiserver/handle-call.js';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { isMap, stringAt, toValue, type ValueMap } from '../../src/go/value.js';
import type { ApiCall } from '../../src/kubernetes/api-call.js';
import { flagValues, serverOptions } from '../../src/kubernetes/server-options.js';
import { encodedRequest } from '../support/certificate-request-maker.js';
import { clusterStateWith } from '../support/cluster-state.js';

const rbac = 'rbac.authorization.k8s.io';

function object(value: object): ValueMap {
  const made = toValue(value);
  if (!isMap(made)) throw new Error('no object');
  return made;
}

const request = object({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'r', uid: 'u', resourceVersion: '1' },
  spec: { request: encodedRequest(), signerName: 'example.com/web', usages: ['client auth'] },
});

const configMap = object({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'team', uid: 'u', resourceVersion: '1' },
});

/** A cluster role bound to jane. */
function roleOfJane(rule: object): ValueMap[] {
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'jane' };
  const subjects = [{ apiGroup: rbac, kind: 'User', name: 'jane' }];
  return [
    object({ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: 'jane' }, rules: [rule] }),
    object({ apiVersion: `${rbac}/v1`, kind: 'ClusterRoleBinding', metadata: { name: 'jane' }, roleRef, subjects }),
  ];
}

async function patchedByJane(path: string, patch: object, objects: readonly ValueMap[]): ReturnType<typeof handleCall> {
  const call: ApiCall = {
    method: 'PATCH',
    path,
    contentType: 'application/merge-patch+json',
    body: Buffer.from(JSON.stringify(patch)),
    user: { username: 'jane' },
  };
  const state = clusterStateWith({
    objects: [object({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } }), request, configMap, ...objects],
    presumesNamespaces: false,
    options: serverOptions(flagValues(['--enable-admission-plugins=OwnerReferencesPermissionEnforcement'])),
  });
  return handleCall(
    call,
    state,
    effectsFor(() => Promise.reject(new Error('no webhook is registered'))),
  );
}

describe('certificate requests', () => {
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests/r/approval';
  const approval = { status: { conditions: [{ type: 'Approved', status: 'True' }] } };

  it.each(['example.com/web', 'example.com/*'])('are approved by who may for %s', async name => {
    const rule = { verbs: ['approve'], apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: [name] };
    expect((await patchedByJane(path, approval, roleOfJane(rule))).decision.code).toBe(200);
  });

  it('are not approved by other users', async () => {
    const rule = { verbs: ['sign'], apiGroups: ['certificates.k8s.io'], resources: ['signers'] };
    const { decision } = await patchedByJane(path, approval, roleOfJane(rule));
    expect(stringAt(decision.status, 'message')).toBe(
      'certificatesigningrequests.certificates.k8s.io "r" is forbidden: user not permitted to approve requests with signerName "example.com/web"',
    );
  });

  it('are approved by anybody if the state has no roles, with a note', async () => {
    const { decision, notes } = await patchedByJane(path, approval, []);
    expect(decision.code).toBe(200);
    expect(notes.join()).toContain('all requests are allowed');
  });
});

describe('owner references', () => {
  const path = '/api/v1/namespaces/team/configmaps/c';
  const owned = (more: object): object => ({
    metadata: { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'v', ...more }] },
  });

  it('are changed by users who may delete the object', async () => {
    const refused = await patchedByJane(path, owned({}), roleOfJane({ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }));
    expect(stringAt(refused.decision.status, 'message')).toBe(
      'configmaps "c" is forbidden: cannot set an ownerRef on a resource you can\'t delete: , <nil>',
    );
    const rule = { verbs: ['delete'], apiGroups: [''], resources: ['configmaps'] };
    expect((await patchedByJane(path, owned({}), roleOfJane(rule))).decision.code).toBe(200);
  });

  it('can block owners only for users who may update their finalizers', async () => {
    const rule = { verbs: ['delete'], apiGroups: [''], resources: ['configmaps'] };
    const blocking = owned({ blockOwnerDeletion: true });
    const { decision } = await patchedByJane(path, blocking, roleOfJane(rule));
    expect(stringAt(decision.status, 'message')).toBe(
      'configmaps "c" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can\'t set finalizers on: , <nil>',
    );
    const unknown = await patchedByJane(path, owned({ blockOwnerDeletion: true, kind: 'Nothing' }), roleOfJane(rule));
    expect(stringAt(unknown.decision.status, 'message')).toContain('no matches for kind "Nothing" in version "apps/v1"');
    const all = { verbs: ['delete', 'update'], apiGroups: ['*'], resources: ['*'] };
    expect((await patchedByJane(path, blocking, roleOfJane(all))).decision.code).toBe(200);
  });
});
