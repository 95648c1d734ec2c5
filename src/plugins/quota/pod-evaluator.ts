import { qosClassOf } from '../../apis/core/pod/validation/qos-class.js';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { QuantityLike } from '../../kubernetes/quantity.js';
import { type Amounts, amountsAt, isPodLevelResource, podResources } from '../objects/pod-resources.js';
import type { QuotaEvaluator } from './quota-evaluator.js';
import { meetsScope, type QuotaScope } from './scopes.js';

const counted =
  'cpu memory ephemeral-storage requests.cpu requests.memory requests.ephemeral-storage limits.cpu limits.memory limits.ephemeral-storage pods count/pods';
const countedNames = new Set(counted.split(' '));

/** Values that every container must set when the quota has them. */
const demanded = new Set(['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']);

/** Evaluates pods: requests, limits, and number. Source: kubernetes pkg/quota/v1/evaluator/core/pods.go. */
export const podEvaluator: QuotaEvaluator = {
  handles: ({ operation, subresource, object, oldObject }) => {
    if (subresource === 'resize') return operation === 'UPDATE';
    if (subresource !== '' || operation === 'CREATE') return subresource === '' && operation === 'CREATE';
    return operation === 'UPDATE' && isTerminating(object?.value) !== isTerminating(oldObject?.value);
  },
  counts: name => countedNames.has(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-') || isExtended(name),
  isInScope,
  missing: missingIn,
  usage: (pod, now) => {
    const usage = new Map<string, QuantityLike>([['count/pods', '1']]);
    if (!isActive(pod, now)) return usage;
    const options = { ofPod: isPodLevelResource, overhead: true };
    for (const [name, amount] of amountsUsed(podResources(pod, 'requests', options), podResources(pod, 'limits', options)))
      usage.set(name, amount);
    return usage;
  },
};

/** Reports whether the resource is extended: `requests.example.com/gpu`, or a device class. */
function isExtended(name: string): boolean {
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  return name.startsWith('requests.') && (!isNative || name.startsWith('requests.deviceclass.resource.kubernetes.io/'));
}

function isTerminating(pod: ValueMap | undefined): boolean {
  const seconds = valueAt(pod, 'spec', 'activeDeadlineSeconds');
  return typeof seconds === 'bigint' && seconds >= 0n;
}

function isInScope(scope: QuotaScope, pod: ValueMap, server: ApiServer): boolean {
  const isBestEffort = (): boolean => qosClassOf(server, pod) === 'BestEffort';
  switch (scope.name) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return isBestEffort();
    case 'NotBestEffort':
      return !isBestEffort();
    case 'PriorityClass':
      return meetsScope(scope, stringAt(pod, 'spec', 'priorityClassName') || undefined);
    case 'CrossNamespacePodAffinity':
      return looksAcrossNamespaces(pod);
    default:
      return false;
  }
}

function looksAcrossNamespaces(pod: ValueMap): boolean {
  return ['podAffinity', 'podAntiAffinity'].some(key => {
    const affinity = mapAt(pod, 'spec', 'affinity', key);
    const preferred = listAt(affinity, 'preferredDuringSchedulingIgnoredDuringExecution').map(p => valueAt(p, 'podAffinityTerm') ?? null);
    const terms = [...listAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution'), ...preferred];
    return terms.some(term => listAt(term, 'namespaces').length > 0 || isMap(valueAt(term, 'namespaceSelector')));
  });
}

/** Returns the names missing in the containers; none when the pod sets them as a whole. */
function missingIn(names: readonly string[], pod: ValueMap): string {
  const ofPod = ['requests', 'limits'].some(key => [...amountsAt(pod, 'spec', 'resources', key).keys()].some(isPodLevelResource));
  const required = names.filter(name => demanded.has(name));
  if (ofPod || required.length === 0) return '';
  const containers = [...listAt(pod, 'spec', 'containers'), ...listAt(pod, 'spec', 'initContainers')];
  const silentAbout = (name: string): Value[] =>
    containers.filter(c => !amountsUsed(amountsAt(c, 'resources', 'requests'), amountsAt(c, 'resources', 'limits')).has(name));
  const texts = [...new Set(required)].sort().flatMap(name => {
    const silent = [...new Set(silentAbout(name).map(c => stringAt(c, 'name')))].sort();
    return silent.length === 0 ? [] : [`${name} for: ${silent.join(',')}`];
  });
  return texts.length === 0 ? '' : `must specify ${texts.join('; ')}`;
}

/** Returns the amounts under all their quota names. */
function amountsUsed(requests: Amounts, limits: Amounts): Map<string, QuantityLike> {
  const used = new Map<string, QuantityLike>([['pods', '1']]);
  for (const name of ['cpu', 'memory', 'ephemeral-storage']) {
    const [request, limit] = [requests.get(name), limits.get(name)];
    if (request !== undefined) used.set(name, request).set(`requests.${name}`, request);
    if (limit !== undefined) used.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    const isNative = !name.includes('/') || name.includes('kubernetes.io/');
    if (name.startsWith('hugepages-')) used.set(name, request);
    if (name.startsWith('hugepages-') || !isNative || name.startsWith('deviceclass.resource.kubernetes.io/'))
      used.set(`requests.${name}`, request);
  }
  return used;
}

/** Reports whether a pod uses resources: not when it has ended or its deletion is long overdue. */
function isActive(pod: ValueMap, now: Date): boolean {
  if (['Failed', 'Succeeded'].includes(stringAt(pod, 'status', 'phase'))) return false;
  const deleted = stringAt(pod, 'metadata', 'deletionTimestamp');
  const grace = valueAt(pod, 'metadata', 'deletionGracePeriodSeconds');
  return deleted === '' || typeof grace !== 'bigint' || now.getTime() <= Date.parse(deleted) + Number(grace) * 1000;
}
