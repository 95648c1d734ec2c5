import { listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { addQuantities, compareQuantities, type QuantityLike } from '../../kubernetes/quantity.js';

/** Amounts by resource name. */
export type Amounts = ReadonlyMap<string, QuantityLike>;

type Sums = Map<string, QuantityLike>;

/** Returns the amounts under a key of an object with resources. */
export function amountsAt(value: Value | undefined, ...path: readonly string[]): Amounts {
  const found = [...(mapAt(value, ...path) ?? [])];
  return new Map(found.flatMap(([name, amount]) => (typeof amount === 'string' ? [[name, amount] as const] : [])));
}

export interface PodResourceOptions {
  /** Reports for which resources the pod-level value replaces the sum. */
  readonly ofPod: (name: string) => boolean;
  /** Whether the pod's runtime overhead is added. */
  readonly overhead: boolean;
}

/**
 * Returns the requests or limits of a pod: the sum of its containers and sidecars, or the max that its init containers need. Source:
 * kubernetes component-helpers resource/helpers.go.
 */
export function podResources(pod: ValueMap, key: 'requests' | 'limits', options: PodResourceOptions): Amounts {
  const sums: Sums = new Map();
  const sidecars: Sums = new Map();
  const starting: Sums = new Map();
  for (const container of listAt(pod, 'spec', 'containers')) addTo(sums, amountsAt(container, 'resources', key));
  for (const container of listAt(pod, 'spec', 'initContainers')) {
    const own = amountsAt(container, 'resources', key);
    if (stringAt(container, 'restartPolicy') === 'Always') {
      addTo(sums, own);
      addTo(sidecars, own);
      raiseTo(starting, sidecars);
    } else {
      const needed = new Map(own);
      addTo(needed, sidecars);
      raiseTo(starting, needed);
    }
  }
  raiseTo(sums, starting);
  for (const [name, amount] of amountsAt(pod, 'spec', 'resources', key)) if (options.ofPod(name)) sums.set(name, amount);
  if (options.overhead) addOverhead(sums, amountsAt(pod, 'spec', 'overhead'), key);
  return sums;
}

/** Reports whether a resource can be requested at pod level. Source: kubernetes component-helpers resource IsSupportedPodLevelResource. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

function addTo(sums: Sums, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? amount : addQuantities(sum, amount));
  }
}

function raiseTo(sums: Sums, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const sum = sums.get(name);
    if (sum === undefined || compareQuantities(amount, sum) > 0) sums.set(name, amount);
  }
}

/** Adds the overhead, except to unlimited resources. */
function addOverhead(sums: Sums, overhead: Amounts, key: 'requests' | 'limits'): void {
  addTo(sums, key === 'requests' ? overhead : new Map([...overhead].filter(([name]) => sums.has(name))));
}
