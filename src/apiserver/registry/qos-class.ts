import { isZeroQuantity, sameQuantity } from '../../kubernetes/quantity.js';
import { isMap, listAt, mapAt, type Value, type ValueMap } from '../../kubernetes/value.js';

const counted = ['cpu', 'memory'] as const;

type Resources = ReadonlyMap<string, string>;

/**
 * How a pod's resources rank it when memory runs out: Guaranteed, Burstable or BestEffort. Resources of the whole pod,
 * where given, decide instead of its containers'. Source: kubernetes pkg/apis/core/v1/helper/qos.
 */
export function qosClassOf(spec: ValueMap | undefined): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const whole = mapAt(spec, 'resources');
  if (whole !== undefined && (positive(whole, 'requests').size > 0 || positive(whole, 'limits').size > 0)) return classOf([whole]);
  const containers = [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')];
  return classOf(containers.map(c => (isMap(c) ? mapAt(c, 'resources') : undefined)));
}

function classOf(all: readonly (ValueMap | undefined)[]): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const parts = all.map(resources => ({ requests: positive(resources, 'requests'), limits: positive(resources, 'limits') }));
  if (parts.every(p => p.requests.size === 0 && p.limits.size === 0)) return 'BestEffort';
  const guaranteed = parts.every(({ requests, limits }) =>
    counted.every(name => limits.has(name) && sameQuantity(limits.get(name) ?? '', requests.get(name) ?? limits.get(name) ?? '')),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

/** The cpu and memory above zero. */
function positive(resources: Value | undefined, key: 'requests' | 'limits'): Resources {
  const found = mapAt(resources, key);
  const entries = counted.flatMap(name => {
    const value = found?.get(name);
    return typeof value === 'string' && !isZeroQuantity(value) ? [[name, value] as const] : [];
  });
  return new Map(entries);
}
