import { expect, it } from 'vitest';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { allowWithoutSending } from '../../src/client/run/allowing-webhook.js';
import { toValue, type ValueMap } from '../../src/go/value.js';
import { flagValues, serverOptions } from '../../src/kubernetes/server-options.js';
import { newCluster } from '../../src/local-apiserver/cluster/cluster.js';
import { handleRequest } from '../../src/local-apiserver/handle-request.js';
import { server } from '../support/server.js';

const group = 'rbac.authorization.k8s.io';

function roleAndBinding(account: string, rules: readonly object[]): object[] {
  const metadata = { name: account };
  const subjects = [{ kind: 'ServiceAccount', namespace: 'default', name: account }];
  return [
    { apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata, rules },
    {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRoleBinding',
      metadata,
      subjects,
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: account },
    },
  ];
}

const modes = ['user-info', 'arbitrary-node', 'serviceaccount'];
const apiGroups = ['authentication.k8s.io'];
const objects = [
  ...roleAndBinding('constrained', [
    { apiGroups, resources: ['users'], verbs: ['impersonate:user-info'], resourceNames: ['jane'] },
    { apiGroups, resources: ['nodes'], verbs: ['impersonate:arbitrary-node'] },
    { apiGroups, resources: ['serviceaccounts'], verbs: ['impersonate:serviceaccount'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: [...modes.map(mode => `impersonate-on:${mode}:list`), 'list'] },
  ]),
  ...roleAndBinding('legacy', [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'] }]),
];

/** Users, their requests, and the audit events of kube-apiserver v1.36.3 and v1.37.2. */
it.each([
  ['constrained', 'jane', 'configmaps', 'jane', { impersonationConstraint: 'impersonate:user-info' }],
  ['constrained', 'jane', 'secrets', undefined, undefined],
  ['constrained', 'bob', 'configmaps', undefined, undefined],
  ['constrained', 'system:node:n1', 'configmaps', 'system:node:n1', { impersonationConstraint: 'impersonate:arbitrary-node' }],
  [
    'constrained',
    'system:serviceaccount:default:x',
    'configmaps',
    'system:serviceaccount:default:x',
    { impersonationConstraint: 'impersonate:serviceaccount' },
  ],
  ['legacy', 'jane', 'configmaps', 'jane', undefined],
  ['legacy', 'system:node:n1', 'configmaps', 'system:node:n1', undefined],
  ['legacy', 'system:serviceaccount:default:x', 'configmaps', undefined, undefined],
])('%s as %s lists %s: the audit event names the user and the constraint', async (account, user, resource, impersonated, metadata) => {
  const lines: string[] = [];
  const cluster = newCluster({
    server,
    objects: objects.map(object => toValue(object) as ValueMap),
    options: serverOptions(flagValues(['--authorization-mode=RBAC'])),
    users: [{ token: 'secret', username: `system:serviceaccount:default:${account}`, groups: ['system:authenticated'] }],
    effects: () => effectsFor(allowWithoutSending),
    audit: { policy: { omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }] }, write: line => lines.push(line) },
  });
  const headers: [string, string][] = [
    ['authorization', 'Bearer secret'],
    ['impersonate-user', user],
  ];
  const url = `/api/v1/namespaces/default/${resource}`;
  const incoming = { method: 'GET', url, headers, peer: undefined, body: () => Promise.resolve(new Uint8Array()) };
  expect((await handleRequest(incoming, cluster, () => Promise.resolve(undefined))).status).toBe(403);
  const [event] = lines.map(line => JSON.parse(line));
  expect(event.impersonatedUser?.username).toBe(impersonated);
  expect(event.authenticationMetadata).toEqual(metadata);
});
