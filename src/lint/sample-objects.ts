/** Smallest objects of the most frequent kinds that the API server accepts, by group and resource. Most frequent ones come first. */
export const sampleObjects: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map<string, Readonly<Record<string, unknown>>>([
  ['/pods', { spec: { containers: [{ name: 'a', image: 'a' }] } }],
  ['apps/deployments', workload()],
  ['/configmaps', {}],
  ['/secrets', {}],
  ['/services', { spec: { ports: [{ port: 80 }] } }],
  ['/namespaces', {}],
  ['batch/jobs', { spec: { template: { spec: { containers: [{ name: 'a', image: 'a' }], restartPolicy: 'Never' } } } }],
  ['networking.k8s.io/ingresses', { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } }],
  ['apps/statefulsets', { spec: { ...workload().spec, serviceName: 'a' } }],
  ['apps/daemonsets', workload()],
  ['apps/replicasets', workload()],
  [
    'batch/cronjobs',
    {
      spec: {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { containers: [{ name: 'a', image: 'a' }], restartPolicy: 'Never' } } } },
      },
    },
  ],
  ['/serviceaccounts', {}],
  ['/nodes', {}],
  ['/persistentvolumeclaims', { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }],
  ['rbac.authorization.k8s.io/roles', {}],
  ['rbac.authorization.k8s.io/clusterroles', {}],
  ['rbac.authorization.k8s.io/rolebindings', { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' } }],
  ['rbac.authorization.k8s.io/clusterrolebindings', { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'a' } }],
  ['coordination.k8s.io/leases', {}],
  ['discovery.k8s.io/endpointslices', { addressType: 'IPv4', endpoints: [] }],
  ['networking.k8s.io/networkpolicies', { spec: { podSelector: {} } }],
  ['/resourcequotas', {}],
  ['/limitranges', { spec: { limits: [] } }],
]);

/** Bodies of the subresources that are created. */
export const sampleSubresources: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  binding: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'probe' }, target: { kind: 'Node', name: 'node-1' } },
  eviction: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'probe' } },
  token: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [], expirationSeconds: 3600 } },
};

function workload(): { spec: Record<string, unknown> } {
  const labels = { app: 'a' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } };
  return { spec: { selector: { matchLabels: labels }, template } };
}
