import { controllerManager, kubelet, type OutageStep, scheduler, serviceAccountOfStep } from './outage-step.js';
import { leaseOf } from './own-steps.js';
import { podCreation, podSteps } from './pod-steps.js';

/** Returns the calls without which nodes, the control plane and the pods of kube-system stop. */
export function clusterSteps(): OutageStep[] {
  const dns = { namespace: 'kube-system', name: 'kube-dns', labels: { 'k8s-app': 'kube-dns' }, whose: "kube-system's" };
  return [...nodeSteps(), podCreation(dns, 'kube-system-pods'), ...podSteps(dns, 'kube-system'), ...reviews()];
}

function nodeSteps(): OutageStep[] {
  const lease = { chain: 'nodes', operation: 'UPDATE', group: 'coordination.k8s.io', version: 'v1', resource: 'leases' } as const;
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1', labels: { 'kubernetes.io/hostname': 'node-1' } } };
  const nodes = { chain: 'nodes', group: '', version: 'v1', namespace: '', ...kubelet } as const;
  const leaseIn = (namespace: string, name: string): Pick<OutageStep, 'namespace' | 'name' | 'body' | 'existing'> => ({
    ...{ namespace, name, body: { spec: { renewTime: '2026-01-01T00:00:00.000000Z' } }, existing: leaseOf(namespace, name) },
  });
  return [
    { ...lease, ...kubelet, ...leaseIn('kube-node-lease', 'node-1'), what: 'renewing the leases of nodes, which all become NotReady' },
    {
      ...{
        ...nodes,
        what: 'reporting the status of nodes, which become NotReady',
        operation: 'UPDATE',
        resource: 'nodes/status',
        name: 'node-1',
      },
      body: { status: { phase: 'Running' } },
      existing: node,
    },
    { ...nodes, what: 'registering nodes', operation: 'CREATE', resource: 'nodes', name: '', body: node, existing: undefined },
    { ...lease, ...scheduler, ...leaseIn('kube-system', 'kube-scheduler'), what: 'the leader election of kube-scheduler, which stops' },
    {
      ...{ ...lease, ...controllerManager, ...leaseIn('kube-system', 'kube-controller-manager') },
      what: 'the leader election of kube-controller-manager, which stops',
    },
  ];
}

/** Reviews that components make with every request that they get. */
function reviews(): OutageStep[] {
  const base = { chain: 'kube-system', operation: 'CREATE', version: 'v1', namespace: '', name: '', existing: undefined } as const;
  const metrics = serviceAccountOfStep('kube-system', 'metrics-server');
  return [
    {
      ...{ ...base, ...metrics, what: 'checking tokens', group: 'authentication.k8s.io', resource: 'tokenreviews' },
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'a' } },
    },
    {
      ...{ ...base, ...metrics, what: 'checking permissions', group: 'authorization.k8s.io', resource: 'subjectaccessreviews' },
      body: {
        ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview' },
        spec: { user: 'a', resourceAttributes: { verb: 'get', resource: 'pods' } },
      },
    },
  ];
}
