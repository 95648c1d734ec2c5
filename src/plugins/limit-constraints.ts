import { formatFixed } from '../go/exact-decimal.js';
import { listAt, stringAt, type ValueMap } from '../go/value.js';
import { milliValue, parseQuantity, type QuantityLike, quantityText, quantityValue } from '../kubernetes/quantity.js';
import { type Amounts, amountsAt, podResources } from './objects/pod-resources.js';

/** Amounts above it are compared as integers, below it in thousandths. Source: apimachinery resource.MaxMilliValue. */
const maxMilliValue = (2n ** 63n - 1n) / 1000n;

interface Asked {
  readonly type: string;
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** Returns the errors of a pod by the limits of one LimitRange. Source: kubernetes limitranger PodValidateLimitFunc. */
export function podLimitErrors(pod: ValueMap, limits: readonly ValueMap[]): string[] {
  const ofPod = (name: string): boolean => name === 'cpu' || name === 'memory';
  return limits.flatMap(limit => {
    const type = stringAt(limit, 'type');
    if (type === 'Container') {
      const containers = [...listAt(pod, 'spec', 'containers'), ...listAt(pod, 'spec', 'initContainers')];
      return containers.flatMap(container => {
        const asked = {
          type,
          requests: amountsAt(container, 'resources', 'requests'),
          limits: amountsAt(container, 'resources', 'limits'),
        };
        return constraintErrors(limit, asked);
      });
    }
    if (type !== 'Pod') return [];
    const options = { ofPod, overhead: false };
    return constraintErrors(limit, {
      type,
      requests: podResources(pod, 'requests', options),
      limits: podResources(pod, 'limits', options),
    });
  });
}

/**
 * Returns the errors of a claim by the limits, which only cover its requests. Source: kubernetes limitranger
 * PersistentVolumeClaimValidateLimitFunc.
 */
export function claimLimitErrors(claim: ValueMap, limits: readonly ValueMap[]): string[] {
  const requests = amountsAt(claim, 'spec', 'resources', 'requests');
  return limits
    .filter(limit => stringAt(limit, 'type') === 'PersistentVolumeClaim')
    .flatMap(limit => {
      const type = 'PersistentVolumeClaim';
      const tooLittle = [...amountsAt(limit, 'min')].map(bound => minimumError(bound, { type, requests, limits: new Map() }));
      const tooMuch = [...amountsAt(limit, 'max')].map(bound => maximumRequestError(bound, type, requests));
      return [...tooLittle, ...tooMuch].filter(text => text !== undefined);
    });
}

function constraintErrors(limit: ValueMap, asked: Asked): string[] {
  return [
    ...[...amountsAt(limit, 'min')].map(bound => minimumError(bound, asked)),
    ...[...amountsAt(limit, 'max')].map(bound => maximumError(bound, asked)),
    ...[...amountsAt(limit, 'maxLimitRequestRatio')].map(bound => ratioError(bound, asked)),
  ].filter(text => text !== undefined);
}

type Bound = readonly [name: string, bound: QuantityLike];

function minimumError([name, bound]: Bound, { type, requests, limits }: Asked): string | undefined {
  const message = `minimum ${name} usage per ${type} is ${textOf(bound)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (request === undefined) return `${message}.  No request is specified`;
  const [requested, limited, least] = comparable(request, limit, bound);
  if (requested < least) return `${message}, but request is ${textOf(request)}`;
  return limit !== undefined && limited < least ? `${message}, but limit is ${textOf(limit)}` : undefined;
}

function maximumError([name, bound]: Bound, { type, requests, limits }: Asked): string | undefined {
  const message = `maximum ${name} usage per ${type} is ${textOf(bound)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (limit === undefined) return `${message}.  No limit is specified`;
  const [requested, limited, most] = comparable(request, limit, bound);
  if (limited > most) return `${message}, but limit is ${textOf(limit)}`;
  return request !== undefined && requested > most ? `${message}, but request is ${textOf(request)}` : undefined;
}

function maximumRequestError([name, bound]: Bound, type: string, requests: Amounts): string | undefined {
  const message = `maximum ${name} usage per ${type} is ${textOf(bound)}`;
  const request = requests.get(name);
  if (request === undefined) return `${message}.  No request is specified`;
  const [requested, , most] = comparable(request, undefined, bound);
  return requested > most ? `${message}, but request is ${textOf(request)}` : undefined;
}

function ratioError([name, bound]: Bound, { type, requests, limits }: Asked): string | undefined {
  const message = `${name} max limit to request ratio per ${type} is ${textOf(bound)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  const [requested, limited] = comparable(request, limit, bound);
  if (request === undefined || requested === 0n) return `${message}, but no request is specified or request is 0`;
  if (limit === undefined || limited === 0n) return `${message}, but no limit is specified or limit is 0`;
  const ratio = Number(limited) / Number(requested);
  const inMillis = quantityValue(bound) <= maxMilliValue;
  const tooMuch = inMillis ? ratio * 1000 > Number(milliValue(bound)) : ratio > Number(quantityValue(bound));
  return tooMuch ? `${message}, but provided ratio is ${formatFixed(ratio, 6)}` : undefined;
}

/** Returns request, limit and bound as numbers of the same unit. */
function comparable(request: QuantityLike | undefined, limit: QuantityLike | undefined, bound: QuantityLike): [bigint, bigint, bigint] {
  const all = [request ?? '0', limit ?? '0', bound] as const;
  const inMillis = all.every(quantity => quantityValue(quantity) <= maxMilliValue);
  const numberOf = inMillis ? milliValue : quantityValue;
  return [numberOf(all[0]), numberOf(all[1]), numberOf(all[2])];
}

function textOf(quantity: QuantityLike): string {
  return quantityText(typeof quantity === 'string' ? parseQuantity(quantity) : quantity);
}
