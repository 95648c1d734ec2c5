import type { RequestedUser } from '../../kubernetes/api-call.js';

/** Users that an API server sends to webhooks, besides the administrator. */
export const users: readonly RequestedUser[] = [
  { username: 'jane@example.com', groups: ['developers'] },
  { username: 'jane', groups: [] },
  { username: 'system:serviceaccount:default:default' },
  { username: 'system:serviceaccount:kube-system:replicaset-controller' },
  { username: 'system:node:node-1', groups: ['system:nodes'] },
  { username: 'system:kube-controller-manager' },
  { username: 'system:apiserver', groups: ['system:masters'] },
  {
    username: 'oidc:https://issuer.example.com#b7e6',
    uid: 'b7e6',
    groups: ['a:b', 'group with spaces'],
    extra: { 'example.com/scopes': ['a', 'b'] },
  },
  { username: 'ürsula "q" {{x}}', groups: ['ü'] },
];
