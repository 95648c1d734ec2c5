import { controller, kubelet, type OutageStep, scheduler } from './outage-step.js';

/** Pods of a workload in a namespace. */
export interface PodOwner {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `its`, or `the` for those of the cluster. */
  readonly whose: string;
}

/** Returns the calls with which pods of a workload come up, after their creation. */
export function podSteps(owner: PodOwner, chain: 'own-recovery' | 'kube-system'): OutageStep[] {
  const { namespace, name, whose } = owner;
  const pod = podOf(owner);
  const core = { chain, group: '', version: 'v1', namespace } as const;
  const endpoints = [{ addresses: ['10.0.0.1'], conditions: { ready: true } }];
  return [
    {
      ...{
        ...core,
        ...scheduler,
        what: `binding ${whose} pods to nodes`,
        operation: 'CREATE',
        resource: 'pods/binding',
        name: pod.metadata.name,
      },
      body: {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: pod.metadata.name, namespace },
        target: { kind: 'Node', name: 'node-1' },
      },
      existing: pod,
    },
    {
      ...{
        ...core,
        ...kubelet,
        what: `reporting that ${whose} pods are ready`,
        operation: 'UPDATE',
        resource: 'pods/status',
        name: pod.metadata.name,
      },
      body: { status: { phase: 'Running' } },
      existing: pod,
    },
    {
      ...{
        ...core,
        ...kubelet,
        what: `mounting the tokens of ${whose} pods`,
        operation: 'CREATE',
        resource: 'serviceaccounts/token',
        name: 'default',
      },
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [], expirationSeconds: 3607 } },
      existing: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } },
    },
    {
      ...{ ...core, ...controller('endpointslice-controller'), what: `publishing the addresses of ${whose} pods` },
      ...{ operation: 'UPDATE', group: 'discovery.k8s.io', resource: 'endpointslices', name: `${name}-1` },
      body: { endpoints },
      existing: {
        ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4', endpoints: [] },
        metadata: { name: `${name}-1`, namespace, labels: { 'kubernetes.io/service-name': name } },
      },
    },
    {
      ...{ ...core, ...controller('deployment-controller'), what: `creating ${whose} ReplicaSets` },
      ...{ operation: 'CREATE', group: 'apps', resource: 'replicasets', name: '' },
      body: workloadOfSteps(owner, 'ReplicaSet'),
      existing: undefined,
    },
  ];
}

/** Returns the creation of a pod by its ReplicaSet. */
export function podCreation(owner: PodOwner, chain: 'own-pods' | 'kube-system-pods'): OutageStep {
  const { namespace, whose } = owner;
  const what = `creating ${whose} pods`;
  const call = { operation: 'CREATE', group: '', version: 'v1', resource: 'pods', namespace, name: '' } as const;
  return { what, chain, ...call, ...controller('replicaset-controller'), body: podOf(owner), existing: undefined };
}

/** Returns a Deployment or ReplicaSet of the workload. */
export function workloadOfSteps({ namespace, name, labels }: PodOwner, kind: 'Deployment' | 'ReplicaSet'): Record<string, unknown> {
  const template = { metadata: { labels }, spec: { containers } };
  return { apiVersion: 'apps/v1', kind, metadata: { name, namespace, labels }, spec: { selector: { matchLabels: labels }, template } };
}

const containers = [{ name: 'main', image: 'registry.example.com/main' }];

function podOf({ namespace, name, labels }: PodOwner) {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: `${name}-1`, namespace, labels }, spec: { containers } };
}
