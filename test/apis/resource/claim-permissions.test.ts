import { expect, it } from 'vitest';
import { newServedCluster } from '../../local-apiserver/support/served-cluster.js';

const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
const roles = '/apis/rbac.authorization.k8s.io/v1';

/** Recorded on kube-apiserver v1.36.3. */
it('statuses of claims need the permission to bind them, and to write the devices of each driver', async () => {
  const { request } = newServedCluster(['--authorization-mode=RBAC']);
  const send = async (method: string, path: string, body: object, headers = {}) => {
    const reply = await request(method, path, { body, headers });
    return { code: reply.status, body: JSON.parse(String(reply.body)) };
  };
  const account = 'system:serviceaccount:default:driver';
  const grant = async (user: string, resource: string, verb: string): Promise<void> => {
    const [metadata, apiGroup] = [{ name: `${user}-${resource.replace('/', '-')}` }, 'rbac.authorization.k8s.io'];
    const rules = [{ apiGroups: ['resource.k8s.io'], resources: [resource], verbs: [verb] }];
    await send('POST', `${roles}/clusterroles`, { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRole', metadata, rules });
    const [roleRef, subjects] = [{ apiGroup, kind: 'ClusterRole', name: metadata.name }, [{ kind: 'User', name: user, apiGroup }]];
    await send('POST', `${roles}/clusterrolebindings`, {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef,
      subjects,
    });
  };
  for (const user of ['bob', 'binder', account]) await grant(user, 'resourceclaims/status', '*');
  await grant('binder', 'resourceclaims/binding', 'update');
  await grant(account, 'resourceclaims/driver', 'associated-node:update');
  const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'x' } }] } };
  const claim = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'c' }, spec };
  await send('POST', claims, claim);
  const write = async (user: string, status: object, headers = {}): Promise<readonly [number, string]> => {
    const { metadata } = JSON.parse(String((await request('GET', `${claims}/c`)).body));
    const answer = await send('PUT', `${claims}/c/status`, { ...claim, metadata, status }, { 'impersonate-user': user, ...headers });
    return [answer.code, answer.body.message ?? ''];
  };
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['n1'] }];
  const results = [{ request: 'r', driver: 'd', pool: 'p', device: 'd1' }];
  const allocation = { devices: { results }, nodeSelector: { nodeSelectorTerms: [{ matchFields }] } };
  const bind =
    'ResourceClaim.resource.k8s.io "c" is invalid: status.allocation: Forbidden: changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="update" permission: resourceclaims.resource.k8s.io is forbidden: User "bob" cannot update resource "resourceclaims/binding" in API group "resource.k8s.io" at the cluster scope';
  expect(await write('bob', { allocation })).toEqual([422, bind]);
  expect(await write('binder', { allocation })).toEqual([200, '']);
  const devices = [{ driver: 'd', pool: 'p', device: 'd1', data: { a: 1 } }];
  const device = (user: string): string =>
    `ResourceClaim.resource.k8s.io "c" is invalid: status.devices: Forbidden: changing status.devices requires resource="resourceclaims/driver", verb="[arbitrary-node:update]" permission: resourceclaims.resource.k8s.io "d" is forbidden: User "${user}" cannot arbitrary-node:update resource "resourceclaims/driver" in API group "resource.k8s.io" in the namespace "default"`;
  const onNode = (node: string): object => ({ 'impersonate-extra-authentication.kubernetes.io%2fnode-name': node });
  expect(await write('bob', { allocation, devices })).toEqual([422, device('bob')]);
  expect(await write(account, { allocation, devices }, onNode('n2'))).toEqual([422, device(account)]);
  expect(await write(account, { allocation, devices }, onNode('n1'))).toEqual([200, '']);
  expect(await write('bob', { allocation, devices })).toEqual([200, '']);
  expect(await write('bob', { allocation })).toEqual([422, device('bob')]);
});
