import { listAt, mapAt, stringAt, type Value, type ValueMap } from '../../../../go/value.js';
import type { ApiServer } from '../../../../kubernetes/api-server.js';
import { addQuantities, compareQuantities, type Quantity, quantitySign } from '../../../../kubernetes/quantity.js';

/**
 * Returns the QoS class: the status's, also one sent by a client in a new pod (up to v1.36), or else the computed one. Source: kubernetes
 * pkg/apis/core/helper/qos GetPodQOS.
 */
export function qosClassOf(server: ApiServer, pod: ValueMap | undefined): string {
  return stringAt(pod, 'status', 'qosClass') || computedQosClass(server, mapAt(pod, 'spec'));
}

type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/**
 * Returns Guaranteed, Burstable or BestEffort, by the non-zero cpu and memory of all containers. Pod-level resources, if set, are used
 * instead. Source: kubernetes pkg/apis/core/helper/qos ComputePodQOS.
 */
export function computedQosClass(server: ApiServer, spec: ValueMap | undefined): QosClass {
  const whole = mapAt(spec, 'resources');
  if (server.isEnabled('PodLevelResourcesFixKubeletQOSClass')) return classOfParts(spec, whole);
  const containers = [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')].map(c => mapAt(c, 'resources'));
  const parts = whole === undefined ? containers : [whole];
  const [requests, limits] = [totalOf(parts, 'requests'), totalOf(parts, 'limits')];
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  // Pod-level limits are only used when there are some.
  const limited = parts.filter(part => whole === undefined || (mapAt(part, 'limits')?.size ?? 0) > 0);
  const isLimited = limited.every(part => positive(part, 'limits').length === counted.length);
  return isLimited && sameAmounts(requests, limits) ? 'Guaranteed' : 'Burstable';
}

/** Since v1.37: pod-level resources without amounts do not count, and one container of another class makes the pod Burstable. */
function classOfParts(spec: ValueMap | undefined, whole: ValueMap | undefined): QosClass {
  const isSet = (['requests', 'limits'] as const).some(key => [...(mapAt(whole, key)?.keys() ?? [])].some(isPodLevel));
  if (isSet) return classOf(whole);
  const classes = [...listAt(spec, 'initContainers'), ...listAt(spec, 'containers')].map(c => classOf(mapAt(c, 'resources')));
  return combined(classes);
}

function isPodLevel(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

function classOf(resources: ValueMap | undefined): QosClass {
  return combined(
    counted.map(name => {
      const amount = (key: string): string => stringAt(resources, key, name) || '0';
      if (compareQuantities(amount('requests'), amount('limits')) !== 0) return 'Burstable';
      return quantitySign(amount('requests')) === 0 ? 'BestEffort' : 'Guaranteed';
    }),
  );
}

function combined(classes: readonly QosClass[]): QosClass {
  const [first = 'BestEffort'] = classes;
  return classes.every(each => each === first) ? first : 'Burstable';
}

const counted = ['cpu', 'memory'] as const;

type Amounts = ReadonlyMap<string, Quantity | string>;

function totalOf(parts: readonly (ValueMap | undefined)[], key: 'requests' | 'limits'): Amounts {
  const total = new Map<string, Quantity | string>();
  for (const [name, amount] of parts.flatMap(part => positive(part, key))) {
    const before = total.get(name);
    total.set(name, before === undefined ? amount : addQuantities(before, amount));
  }
  return total;
}

/** Returns the non-zero cpu and memory. */
function positive(resources: Value | undefined, key: 'requests' | 'limits'): (readonly [string, string])[] {
  const found = mapAt(resources, key);
  return counted.flatMap(name => {
    const value = found?.get(name);
    return typeof value === 'string' && quantitySign(value) > 0 ? [[name, value] as const] : [];
  });
}

function sameAmounts(a: Amounts, b: Amounts): boolean {
  const isSame = (name: string, amount: Quantity | string): boolean => {
    const other = b.get(name);
    return other !== undefined && compareQuantities(amount, other) === 0;
  };
  return a.size === b.size && [...a].every(([name, amount]) => isSame(name, amount));
}
