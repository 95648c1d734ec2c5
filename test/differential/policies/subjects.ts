import type { JsonObject } from '../calls/scene.js';
import type { Random } from '../random.js';

/** A resource that random policies are about. */
export interface Subject {
  readonly group: string;
  readonly version: string;
  /** Another served version of the same resource. */
  readonly otherVersion?: string;
  readonly resource: string;
  readonly kind: string;
  /** Subresources that a merge patch of `spec` or `status` can change, and the change. */
  readonly subresources: Readonly<Record<string, JsonObject>>;
}

export const subjects: readonly Subject[] = [
  {
    group: 'apps',
    version: 'v1',
    resource: 'deployments',
    kind: 'Deployment',
    subresources: { scale: { spec: { replicas: 3 } }, status: { status: { replicas: 1 } } },
  },
  { group: '', version: 'v1', resource: 'pods', kind: 'Pod', subresources: { status: { status: { phase: 'Running' } } } },
  { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', subresources: {} },
  {
    group: '',
    version: 'v1',
    resource: 'services',
    kind: 'Service',
    subresources: { status: { status: { loadBalancer: { ingress: [] } } } },
  },
  { group: 'batch', version: 'v1', resource: 'jobs', kind: 'Job', subresources: {} },
  {
    group: 'autoscaling',
    version: 'v2',
    otherVersion: 'v1',
    resource: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    subresources: { status: { status: { desiredReplicas: 2 } } },
  },
  {
    group: 'example.com',
    version: 'v1',
    otherVersion: 'v1beta1',
    resource: 'widgets',
    kind: 'Widget',
    subresources: { status: { status: { ready: true } }, scale: { spec: { replicas: 2 } } },
  },
];

/** Fields of each kind that expressions read. */
export const fields: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['spec.replicas', 'spec.template.spec.containers', 'spec.selector.matchLabels', 'spec.paused', 'spec.strategy.type'],
  Pod: ['spec.containers', 'spec.nodeName', 'spec.tolerations', 'spec.serviceAccountName', 'status.phase'],
  ConfigMap: ['data.stage', 'data', 'immutable', 'binaryData'],
  Service: ['spec.ports', 'spec.type', 'spec.selector.app', 'spec.sessionAffinity'],
  Job: ['spec.parallelism', 'spec.suspend', 'spec.template.spec.restartPolicy'],
  HorizontalPodAutoscaler: ['spec.minReplicas', 'spec.maxReplicas', 'spec.metrics', 'spec.targetCPUUtilizationPercentage', 'apiVersion'],
  Widget: ['spec.size', 'spec.colour', 'spec.tags', 'spec.options', 'spec.note', 'spec.port', 'spec.ratio', 'spec.free'],
};

/** The path of the collection in a namespace. */
export function pathOf({ group, version, resource }: Pick<Subject, 'group' | 'version' | 'resource'>, namespace: string): string {
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}/namespaces/${namespace}/${resource}`;
}

/** A valid object of the subject's kind; a plain one has the label `app` and few fields. */
export function manifest(subject: Subject, name: string, { r, isPlain }: { readonly r: Random; readonly isPlain: boolean }): JsonObject {
  const { group, version, kind } = subject;
  const metadata = {
    name,
    ...(isPlain || r.chance(60) ? { labels: { app: 'web' } } : {}),
    ...(r.chance(30) ? { annotations: { note: 'a' } } : {}),
  };
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata, ...contents(subject, r) };
}

function contents({ kind, version }: Subject, r: Random): JsonObject {
  // A token's volume has a random name.
  const podSpec = {
    automountServiceAccountToken: false,
    containers: [{ name: 'main', image: 'busybox' }, ...(r.chance(30) ? [{ name: 'b', image: 'c' }] : [])],
  };
  switch (kind) {
    case 'Deployment': {
      const template = { metadata: { labels: { app: 'web' } }, spec: podSpec };
      return { spec: { ...(r.chance(70) ? { replicas: r.below(6) } : {}), selector: { matchLabels: { app: 'web' } }, template } };
    }
    case 'Pod':
      return { spec: podSpec };
    case 'ConfigMap':
      return r.chance(80) ? { data: { stage: r.pick(['a', 'prod']), team: 'x' } } : {};
    case 'Service':
      return { spec: { ports: [{ port: 80 }], selector: { app: 'web' } } };
    case 'Job':
      return { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } };
    case 'HorizontalPodAutoscaler': {
      const target = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: r.below(5) + 1 };
      const metrics = [{ type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 70 } } }];
      if (version === 'v1') return { spec: { ...target, ...(r.chance(50) ? { targetCPUUtilizationPercentage: 60 } : {}) } };
      return { spec: { ...target, ...(r.chance(50) ? { minReplicas: 1 } : {}), ...(r.chance(50) ? { metrics } : {}) } };
    }
    default: {
      const odd = { tags: ['a'], note: null, options: { a: 'b' }, port: r.pick([5, 'http']), ratio: r.pick([2, 2.5]) };
      return { spec: { size: r.below(5), ...(r.chance(50) ? odd : {}) } };
    }
  }
}
