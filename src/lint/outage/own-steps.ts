import { administrator, controller, type OutageStep, serviceAccountOfStep } from './outage-step.js';
import { type PodOwner, podCreation, podSteps, workloadOfSteps } from './pod-steps.js';

/** Returns the calls that a webhook in the cluster needs to come up again, to be repaired, and to stay usable. */
export function ownSteps(owner: PodOwner): OutageStep[] {
  return [podCreation(owner, 'own-pods'), ...podSteps(owner, 'own-recovery'), ...repairs(owner), ...upkeep(owner)];
}

function repairs(owner: PodOwner): OutageStep[] {
  const { namespace, name, labels } = owner;
  const base = { chain: 'own-recovery', ...administrator, operation: 'UPDATE', version: 'v1', namespace, name } as const;
  return [
    {
      ...{ ...base, what: 'changing its Deployment', group: 'apps', resource: 'deployments' },
      body: { spec: { replicas: 2 } },
      existing: workloadOfSteps(owner, 'Deployment'),
    },
    {
      ...{ ...base, what: 'changing its Service', group: '', resource: 'services' },
      body: { metadata: { labels: { repaired: 'yes' } } },
      existing: {
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace } },
        spec: { selector: labels, clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9'], ports: [{ port: 443, protocol: 'TCP' }] },
      },
    },
  ];
}

function upkeep({ namespace, name }: PodOwner): OutageStep[] {
  const base = { chain: 'own-upkeep', version: 'v1', namespace } as const;
  const own = serviceAccountOfStep(namespace, name);
  return [
    {
      ...{ ...base, ...serviceAccountOfStep('cert-manager', 'cert-manager'), what: 'renewing the certificate in its Secret' },
      ...{ operation: 'UPDATE', group: '', resource: 'secrets', name: `${name}-cert` },
      body: { data: { 'tls.crt': 'YQ==' } },
      existing: {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: `${name}-cert`, namespace },
        type: 'Opaque',
        data: { 'tls.crt': '' },
      },
    },
    {
      ...{ ...base, ...serviceAccountOfStep('cert-manager', 'cert-manager'), what: 'requesting its certificate' },
      ...{ operation: 'CREATE', group: 'cert-manager.io', resource: 'certificaterequests', name: '' },
      body: { apiVersion: 'cert-manager.io/v1', kind: 'CertificateRequest', metadata: { name: `${name}-1`, namespace } },
      existing: undefined,
    },
    {
      ...{ ...base, ...controller('root-ca-cert-publisher'), what: 'publishing the CA of the API server in its namespace' },
      ...{ operation: 'CREATE', group: '', resource: 'configmaps', name: '' },
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace }, data: { 'ca.crt': '' } },
      existing: undefined,
    },
    {
      ...{ ...base, ...own, what: 'its leader election', operation: 'UPDATE', group: 'coordination.k8s.io', resource: 'leases', name },
      body: { spec: { leaseTransitions: 2 } },
      existing: leaseOf(namespace, name),
    },
    {
      ...{ ...base, ...administrator, what: 'changing its Namespace, for example to exclude it by a label' },
      ...{ operation: 'UPDATE', group: '', resource: 'namespaces', namespace: '', name: namespace },
      body: { metadata: { labels: { repaired: 'yes' } } },
      existing: {
        ...{ apiVersion: 'v1', kind: 'Namespace', spec: { finalizers: ['kubernetes'] } },
        metadata: { name: namespace, labels: { 'kubernetes.io/metadata.name': namespace } },
      },
    },
  ];
}

/** Returns a lease. */
export function leaseOf(namespace: string, name: string): Record<string, unknown> {
  const spec = { holderIdentity: name, leaseDurationSeconds: 15 };
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace }, spec };
}
