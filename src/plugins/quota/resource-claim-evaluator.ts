import { listAt, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { addQuantities, type QuantityLike, quantitySign, subtractQuantities } from '../../kubernetes/quantity.js';
import type { Storage } from '../../kubernetes/storage.js';
import { listedObjects } from '../objects/listed-objects.js';
import { podEvaluator } from './pod-evaluator.js';
import type { QuotaEvaluator } from './quota-evaluator.js';

const kind = { group: 'resource.k8s.io', kind: 'ResourceClaim' };
const claims = 'count/resourceclaims.resource.k8s.io';
const devices = '.deviceclass.resource.k8s.io/devices';
const implicit = 'requests.deviceclass.resource.kubernetes.io/';
/** Devices counted for a request of all. */
const mostDevices = 32n;

/**
 * Returns the evaluator of resource claims: their number, and devices by class. If extended resources are enabled, devices also count as
 * these. Source: kubernetes pkg/quota/v1/evaluator/core/resource_claims.go.
 */
export function resourceClaimEvaluator(storage: Storage): QuotaEvaluator {
  const extended = (): ReadonlyMap<string, string | undefined> =>
    storage.server.isEnabled('DRAExtendedResource') ? extendedNames(storage) : new Map();
  return {
    handles: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
    counts: name => name === claims || name.endsWith(devices) || (name.startsWith('requests.') && isExtended(name, extended())),
    isInScope: () => false,
    missing: () => '',
    usage: (claim, now) => {
      const byClass = devicesOf(claim);
      const usage = new Map<string, QuantityLike>([[claims, '1']]);
      for (const [className, amount] of byClass) usage.set(`${className}${devices}`, amount);
      if (!storage.server.isEnabled('DRAExtendedResource')) return usage;
      const counted = usageOfPod(claim, storage, now);
      const names = extended();
      for (const [className, amount] of byClass) {
        if (className === '') continue;
        const name = names.get(className);
        for (const resource of [`${implicit}${className}`, ...(name === undefined ? [] : [`requests.${name}`])]) {
          const rest = subtractQuantities(amount, counted.get(resource) ?? '0');
          if (quantitySign(rest) > 0) usage.set(resource, rest);
        }
      }
      return usage;
    },
  };
}

/** Returns the extended resource of each device class; undefined for a class without one. */
function extendedNames(storage: Storage): ReadonlyMap<string, string | undefined> {
  const classes = listedObjects({ storage }, { group: 'resource.k8s.io', kind: 'DeviceClass' });
  return new Map(classes.map(found => [stringAt(found, 'metadata', 'name'), stringAt(found, 'spec', 'extendedResourceName') || undefined]));
}

function isExtended(name: string, classes: ReadonlyMap<string, string | undefined>): boolean {
  if (name.startsWith(implicit)) return classes.has(name.slice(implicit.length));
  return [...classes.values()].includes(name.slice('requests.'.length));
}

/** Returns the most devices that may be allocated, by class. */
function devicesOf(claim: ValueMap): ReadonlyMap<string, QuantityLike> {
  const sums = new Map<string, QuantityLike>();
  for (const request of listAt(claim, 'spec', 'devices', 'requests')) {
    for (const [className, count] of alternativesOf(request)) {
      sums.set(className, addQuantities(sums.get(className) ?? '0', String(count)));
    }
  }
  return sums;
}

function alternativesOf(request: Value): ReadonlyMap<string, bigint> {
  const alternatives = listAt(request, 'firstAvailable');
  const worst = new Map<string, bigint>();
  for (const alternative of alternatives) {
    const className = stringAt(alternative, 'deviceClassName');
    const count = countOf(alternative);
    if (count > (worst.get(className) ?? 0n)) worst.set(className, count);
  }
  if (alternatives.length > 0) return worst;
  // In v1beta1 the request itself has the members of `exactly`.
  const exactly = mapAt(request, 'exactly') ?? request;
  return new Map([[stringAt(exactly, 'deviceClassName'), countOf(exactly)]]);
}

function countOf(request: Value): bigint {
  const mode = stringAt(request, 'allocationMode');
  const count = valueAt(request, 'count');
  if (mode === 'All') return mostDevices;
  return mode === 'ExactCount' && typeof count === 'bigint' ? count : 0n;
}

/** Returns what a pod already counts for the claim that was created for its extended resources. */
function usageOfPod(claim: ValueMap, storage: Storage, now: Date): ReadonlyMap<string, QuantityLike> {
  const none = new Map<string, QuantityLike>();
  const owner = podOwnerOf(claim);
  if (owner === undefined) return none;
  const namespace = stringAt(claim, 'metadata', 'namespace');
  const pod = listedObjects({ storage }, { group: '', kind: 'Pod' }, namespace).find(
    found => stringAt(found, 'metadata', 'name') === stringAt(owner, 'name'),
  );
  if (pod === undefined || stringAt(pod, 'metadata', 'uid') !== stringAt(owner, 'uid')) return none;
  const named = mapAt(pod, 'status', 'extendedResourceClaimStatus');
  const name = stringAt(claim, 'metadata', 'name');
  const isCounted = named === undefined ? isFirst(claim, stringAt(owner, 'uid'), storage) : stringAt(named, 'resourceClaimName') === name;
  return isCounted ? podEvaluator.usage(pod, now) : none;
}

/** Returns the reference to the controlling pod of a claim for extended resources. */
function podOwnerOf(claim: ValueMap): Value | undefined {
  if (stringAt(claim, 'metadata', 'annotations', 'resource.kubernetes.io/extended-resource-claim') !== 'true') return undefined;
  const owner = listAt(claim, 'metadata', 'ownerReferences').find(reference => valueAt(reference, 'controller') === true);
  return owner !== undefined && stringAt(owner, 'kind') === 'Pod' && stringAt(owner, 'apiVersion') === 'v1' ? owner : undefined;
}

/** Reports whether no other claim of the pod is older; of equal ages the first name counts. */
function isFirst(claim: ValueMap, podUid: string, storage: Storage): boolean {
  const claimKeyOf = (found: ValueMap): string =>
    `${stringAt(found, 'metadata', 'creationTimestamp')} ${stringAt(found, 'metadata', 'name')}`;
  return listedObjects({ storage }, kind, stringAt(claim, 'metadata', 'namespace')).every(
    found => stringAt(podOwnerOf(found), 'uid') !== podUid || claimKeyOf(found) >= claimKeyOf(claim),
  );
}
