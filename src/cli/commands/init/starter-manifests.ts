import { ensureMap, isMap, listAt, mapAt, toValue, type ValueMap } from '../../../go/value.js';
import { wantedLabels } from './wanted-labels.js';

const container = { name: 'web', image: 'registry.k8s.io/pause:3.10' };
const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [container] } };
const workload = { selector: { matchLabels: labels }, template };

/** Small objects of common resources. */
const starters = {
  pods: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [container] } },
  deployments: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: workload },
  statefulsets: { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'web' }, spec: { serviceName: 'web', ...workload } },
  daemonsets: { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'web' }, spec: workload },
  jobs: {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'web' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
  },
  services: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { selector: labels, ports: [{ port: 80 }] } },
  configmaps: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, data: { key: 'value' } },
  secrets: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'web' }, stringData: { key: 'value' } },
  serviceaccounts: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'web' } },
  persistentvolumeclaims: {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'web' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  namespaces: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } },
  ingresses: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web' },
    spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
  },
};

/** A resource that has a starter. */
export interface StarterResource {
  readonly group: string;
  /** Plural. */
  readonly resource: string;
  readonly kind: string;
  /** Pods, and what pods are created from. */
  readonly isWorkload: boolean;
}

export const starterResources: readonly StarterResource[] = Object.entries(starters).map(([resource, { apiVersion, kind, ...rest }]) => ({
  group: apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '',
  ...{ resource, kind },
  isWorkload: JSON.stringify(rest).includes('containers'),
}));

/** The manifest for a project without any. */
export function starterPod(): ValueMap {
  return objectFor('pods');
}

/** Returns an object of a resource by its plural; undefined if it has no starter. */
export function starterOf(resource: string): ValueMap | undefined {
  return Object.hasOwn(starters, resource) ? objectFor(resource) : undefined;
}

/** Returns an object of the first resource in the rules of a webhook that has a starter, with labels that its objectSelector wants. */
export function starterManifest(webhook: ValueMap): ValueMap | undefined {
  const resources = listAt(webhook, 'rules').flatMap(rule => listAt(rule, 'resources').map(String));
  const named =
    resources.find(resource => Object.hasOwn(starters, resource)) ??
    (resources.some(name => /^\*(\/\*)?$/.test(name)) ? 'pods' : undefined);
  if (named === undefined) return undefined;
  const object = objectFor(named);
  const wanted = wantedLabels(mapAt(webhook, 'objectSelector'));
  if (wanted.size > 0) {
    const own = ensureMap(ensureMap(object, 'metadata'), 'labels');
    for (const [name, value] of wanted) own.set(name, value);
  }
  return object;
}

function objectFor(resource: string): ValueMap {
  const object = toValue(Object.entries(starters).find(([name]) => name === resource)?.[1] ?? {});
  if (!isMap(object)) throw new Error('a starter is an object');
  return object;
}
