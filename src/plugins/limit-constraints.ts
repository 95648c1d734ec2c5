import { formatFixed } from '../go/exact-decimal.js';
import { listAt, stringAt, type Value, type ValueMap } from '../go/value.js';
import {
  approximateFloat,
  compareQuantities,
  isZeroQuantity,
  milliValue,
  parseQuantity,
  productOfQuantities,
  type QuantityLike,
  quantityText,
  quantityValue,
  sameQuantity,
} from '../kubernetes/quantity.js';
import { type Amounts, amountsAt, podResources } from './objects/pod-resources.js';

/** Amounts above it are compared as integers, below it in thousandths. Source: apimachinery resource.MaxMilliValue. */
const maxMilliValue = (2n ** 63n - 1n) / 1000n;

interface RequestsAndLimits {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

interface Asked extends RequestsAndLimits {
  readonly type: string;
  readonly isExact: boolean;
  readonly old: RequestsAndLimits | undefined;
}

/** How amounts are checked. */
export interface LimitChecks {
  /** The stored object of an update, whose amounts are not checked again; undefined to check all. */
  readonly old: ValueMap | undefined;
  /** Whether amounts are compared without rounding. */
  readonly isExact: boolean;
}

/** Returns the errors of a pod by the limits of one LimitRange. Source: kubernetes limitranger PodValidateLimitFunc. */
export function podLimitErrors(pod: ValueMap, limits: readonly ValueMap[], { old, isExact }: LimitChecks): string[] {
  return limits.flatMap(limit => {
    const type = stringAt(limit, 'type');
    if (type === 'Container') {
      return ['containers', 'initContainers'].flatMap(list =>
        listAt(pod, 'spec', list).flatMap(container => {
          const before = listAt(old, 'spec', list).find(each => stringAt(each, 'name') === stringAt(container, 'name'));
          return constraintErrors(limit, { type, isExact, ...askedBy(container), old: before === undefined ? undefined : askedBy(before) });
        }),
      );
    }
    if (type !== 'Pod') return [];
    return constraintErrors(limit, { type, isExact, ...askedByPod(pod), old: old === undefined ? undefined : askedByPod(old) });
  });
}

function askedBy(container: Value): RequestsAndLimits {
  return { requests: amountsAt(container, 'resources', 'requests'), limits: amountsAt(container, 'resources', 'limits') };
}

function askedByPod(pod: ValueMap): RequestsAndLimits {
  const options = { ofPod: (name: string) => name === 'cpu' || name === 'memory', overhead: false };
  return { requests: podResources(pod, 'requests', options), limits: podResources(pod, 'limits', options) };
}

/**
 * Returns the errors of a claim by the limits, which only cover its requests. Source: kubernetes limitranger
 * PersistentVolumeClaimValidateLimitFunc.
 */
export function claimLimitErrors(claim: ValueMap, limits: readonly ValueMap[], { old, isExact }: LimitChecks): string[] {
  const requests = amountsAt(claim, 'spec', 'resources', 'requests');
  const before = amountsAt(old, 'spec', 'resources', 'requests');
  const asked = { type: 'PersistentVolumeClaim', isExact, requests, limits: new Map(), old: undefined };
  const isChecked = ([name]: Bound): boolean => !requests.has(name) || !before.has(name) || !isKept(name, requests, before);
  return limits
    .filter(limit => stringAt(limit, 'type') === asked.type)
    .flatMap(limit => {
      const tooLittle = [...amountsAt(limit, 'min')].filter(isChecked).map(bound => minimumError(bound, asked));
      const tooMuch = [...amountsAt(limit, 'max')].filter(isChecked).map(bound => maximumRequestError(bound, asked));
      return [...tooLittle, ...tooMuch].filter(text => text !== undefined);
    });
}

function constraintErrors(limit: ValueMap, asked: Asked): string[] {
  const { old } = asked;
  const isChecked = ([name]: Bound): boolean =>
    old === undefined || !isKept(name, asked.requests, old.requests) || !isKept(name, asked.limits, old.limits);
  return [
    ...[...amountsAt(limit, 'min')].filter(isChecked).map(bound => minimumError(bound, asked)),
    ...[...amountsAt(limit, 'max')].filter(isChecked).map(bound => maximumError(bound, asked)),
    ...[...amountsAt(limit, 'maxLimitRequestRatio')].filter(isChecked).map(bound => ratioError(bound, asked)),
  ].filter(text => text !== undefined);
}

/** Reports whether an amount is absent from both, or equal in both. */
function isKept(name: string, now: Amounts, before: Amounts): boolean {
  const [amount, stored] = [now.get(name), before.get(name)];
  return amount === undefined || stored === undefined ? amount === stored : sameQuantity(amount, stored);
}

type Bound = readonly [name: string, bound: QuantityLike];

function minimumError([name, bound]: Bound, { type, isExact, requests, limits }: Asked): string | undefined {
  const message = `minimum ${name} usage per ${type} is ${quantityLikeText(bound)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (request === undefined) return `${message}.  No request is specified`;
  const [requested, limited, least] = comparable(request, limit, bound, isExact);
  if (requested < least) return `${message}, but request is ${quantityLikeText(request)}`;
  return limit !== undefined && limited < least ? `${message}, but limit is ${quantityLikeText(limit)}` : undefined;
}

function maximumError([name, bound]: Bound, { type, isExact, requests, limits }: Asked): string | undefined {
  const message = `maximum ${name} usage per ${type} is ${quantityLikeText(bound)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (limit === undefined) return `${message}.  No limit is specified`;
  const [requested, limited, most] = comparable(request, limit, bound, isExact);
  if (limited > most) return `${message}, but limit is ${quantityLikeText(limit)}`;
  return request !== undefined && requested > most ? `${message}, but request is ${quantityLikeText(request)}` : undefined;
}

function maximumRequestError([name, bound]: Bound, { type, isExact, requests }: Asked): string | undefined {
  const message = `maximum ${name} usage per ${type} is ${quantityLikeText(bound)}`;
  const request = requests.get(name);
  if (request === undefined) return `${message}.  No request is specified`;
  const [requested, , most] = comparable(request, undefined, bound, isExact);
  return requested > most ? `${message}, but request is ${quantityLikeText(request)}` : undefined;
}

function ratioError([name, bound]: Bound, { type, isExact, requests, limits }: Asked): string | undefined {
  const message = `${name} max limit to request ratio per ${type} is ${quantityLikeText(bound)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  const [requested, limited] = comparable(request, limit, bound, isExact);
  const isNone = (amount: QuantityLike, rounded: bigint): boolean => (isExact ? isZeroQuantity(amount) : rounded === 0n);
  if (request === undefined || isNone(request, requested)) return `${message}, but no request is specified or request is 0`;
  if (limit === undefined || isNone(limit, limited)) return `${message}, but no limit is specified or limit is 0`;
  if (isExact) {
    if (compareQuantities(limit, productOfQuantities(request, bound)) <= 0) return undefined;
    return `${message}, but provided ratio is ${formatFixed(approximateFloat(limit) / approximateFloat(request), 6)}`;
  }
  const ratio = Number(limited) / Number(requested);
  const inMillis = quantityValue(bound) <= maxMilliValue;
  const tooMuch = inMillis ? ratio * 1000 > Number(milliValue(bound)) : ratio > Number(quantityValue(bound));
  return tooMuch ? `${message}, but provided ratio is ${formatFixed(ratio, 6)}` : undefined;
}

/** Returns request, limit and bound as numbers of the same unit; since v1.38, an exact one. */
function comparable(
  request: QuantityLike | undefined,
  limit: QuantityLike | undefined,
  bound: QuantityLike,
  isExact: boolean,
): [bigint, bigint, bigint] {
  const all = [request ?? '0', limit ?? '0', bound] as const;
  if (isExact) return inSameUnit(all);
  const inMillis = all.every(quantity => quantityValue(quantity) <= maxMilliValue);
  const numberOf = inMillis ? milliValue : quantityValue;
  return [numberOf(all[0]), numberOf(all[1]), numberOf(all[2])];
}

/** Returns whether each amount is less than, equal to or more than the last one. */
function inSameUnit([request, limit, bound]: readonly [QuantityLike, QuantityLike, QuantityLike]): [bigint, bigint, bigint] {
  return [BigInt(compareQuantities(request, bound)), BigInt(compareQuantities(limit, bound)), 0n];
}

function quantityLikeText(quantity: QuantityLike): string {
  return quantityText(typeof quantity === 'string' ? parseQuantity(quantity) : quantity);
}
