import { expect, it } from 'vitest';
import { newServedCluster } from './support/served-cluster.js';

const apply = 'application/apply-patch+yaml';
const lease = '/apis/coordination.k8s.io/v1/namespaces/default/leases/a';
const leaseBody = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' } };
const configMap = '/api/v1/namespaces/default/configmaps/a?fieldManager=x';
const configMapBody = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
const rbac = 'rbac.authorization.k8s.io';
const role = {
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRole',
  metadata: { name: 'change' },
  rules: [{ apiGroups: ['', 'coordination.k8s.io'], resources: ['leases', 'configmaps', 'nodes'], verbs: ['get', 'update', 'patch'] }],
};
const binding = {
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name: 'change' },
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'change' },
  subjects: [{ kind: 'User', name: 'panda', apiGroup: rbac }],
};

async function clusterWithPanda(): Promise<ReturnType<typeof newServedCluster>['request']> {
  const { request } = newServedCluster(['--authorization-mode=RBAC']);
  await request('POST', `/apis/${rbac}/v1/clusterroles`, { body: role });
  await request('POST', `/apis/${rbac}/v1/clusterrolebindings`, { body: binding });
  return request;
}

/** As kube-apiserver v1.36.3 answered a user who may update and patch, but not create. */
it.each([
  ['PUT', lease, leaseBody, undefined, 403, 'leases', 'coordination.k8s.io', 'in the namespace "default"'],
  ['PUT', `${lease}?dryRun=All`, leaseBody, undefined, 403, 'leases', 'coordination.k8s.io', 'in the namespace "default"'],
  ['PATCH', `${lease}?fieldManager=x`, leaseBody, apply, 403, 'leases', 'coordination.k8s.io', 'in the namespace "default"'],
  ['PATCH', configMap, configMapBody, apply, 403, 'configmaps', '', 'in the namespace "default"'],
  ['PATCH', '/api/v1/nodes/a?fieldManager=x', { ...configMapBody, kind: 'Node' }, apply, 403, 'nodes', '', 'at the cluster scope'],
])('%s %s that creates needs the verb create', async (method, path, body, contentType, status, resource, group, where) => {
  const request = await clusterWithPanda();
  const headers = { 'impersonate-user': 'panda', ...(contentType === undefined ? {} : { 'content-type': contentType }) };
  const reply = await request(method, path, { body, headers });
  const why = `User "panda" cannot create resource "${resource}" in API group "${group}" ${where}`;
  const { message, details } = JSON.parse(String(reply.body));
  expect([reply.status, message, details]).toEqual([
    status,
    `${group === '' ? resource : `${resource}.${group}`} "a" is forbidden: ${why}`,
    { name: 'a', kind: resource, ...(group === '' ? {} : { group }) },
  ]);
});

it('authorizes after the validation of the object, and not for an object that exists', async () => {
  const request = await clusterWithPanda();
  const headers = { 'impersonate-user': 'panda', 'content-type': apply };
  const invalid = await request('PATCH', configMap, { body: { ...configMapBody, data: { 'a b': 'c' } }, headers });
  expect(invalid.status).toBe(422);
  await request('POST', '/api/v1/namespaces/default/configmaps', { body: configMapBody });
  expect((await request('PATCH', configMap, { body: { ...configMapBody, data: { a: 'b' } }, headers })).status).toBe(200);
});
