import type { PolicyRule, RoleBinding } from './role.js';

/** Rules that allow everything. */
export const anything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceUrls: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceUrls: ['*'] },
];

const health = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
const discovery = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/openapi',
  '/openapi/*',
  '/readyz',
  '/version',
  '/version/',
];

/**
 * Rules of the default roles that every API server creates and that apply to ordinary users. Source: kubernetes
 * rbac/bootstrappolicy/policy.go.
 */
export const bootstrapRoles: ReadonlyMap<string, readonly PolicyRule[]> = new Map([
  ['cluster-admin', anything],
  ['system:discovery', [paths(discovery)]],
  [
    'system:basic-user',
    [
      created('authorization.k8s.io', ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']),
      created('authentication.k8s.io', ['selfsubjectreviews']),
    ],
  ],
  ['system:public-info-viewer', [paths(health)]],
]);

/** Subjects of the bootstrap roles. */
export const bootstrapBindings: readonly RoleBinding[] = [
  binding('cluster-admin', 'system:masters'),
  binding('system:basic-user', 'system:authenticated'),
  binding('system:discovery', 'system:authenticated'),
  binding('system:public-info-viewer', 'system:authenticated', 'system:unauthenticated'),
];

function paths(nonResourceUrls: readonly string[]): PolicyRule {
  return { verbs: ['get'], apiGroups: [], resources: [], resourceNames: [], nonResourceUrls };
}

function created(group: string, resources: readonly string[]): PolicyRule {
  return { verbs: ['create'], apiGroups: [group], resources, resourceNames: [], nonResourceUrls: [] };
}

function binding(name: string, ...groups: readonly string[]): RoleBinding {
  return {
    kind: 'ClusterRoleBinding',
    namespace: '',
    name,
    role: { kind: 'ClusterRole', name },
    subjects: groups.map(group => ({ kind: 'Group', namespace: '', name: group })),
  };
}
