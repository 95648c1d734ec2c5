import { hasServiceRange } from '../../apis/core/service/service-addresses.js';
import { storeKeyOf } from '../../encoding/compact-object.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import type { Effects } from '../../kubernetes/effects.js';
import { kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';
import { addressesOf, addressKind, addressLabels, allocate, cidrKind, serviceKind } from './service-addresses.js';

/** Time in which a service with a new IPAddress may still be created. */
const creationMs = 60_000;
/** Time in which the creation of a service whose name exists may give the address back. */
const revertMs = 5000;
/** Interval at which the API server looks at all services. */
const resyncMs = 180_000;

const [services, addresses] = [kindName(serviceKind), kindName(addressKind)];

/**
 * Repairs the IPAddress objects of services after others changed them, and removes those that have no service. Source: kubernetes
 * pkg/registry/core/service/ipallocator/controller/repairip.go.
 */
export function repairAddresses(store: Store, effects: () => Effects): void {
  const later = (ms: number, repair: () => void): void => void setTimeout(repair, ms).unref();
  const settle = (name: string): void => {
    const wait = settleAddress(store.find(addressKind, '', name), store, effects().now());
    if (wait > 0) later(wait, () => settle(name));
  };
  store.subscribe(({ collection, object, previous }) => {
    if (collection === services && object !== undefined) repairService(object, store, effects);
    if (collection !== addresses) return;
    if (object !== undefined) settle(stringAt(object, 'metadata', 'name'));
    else if (previous !== undefined) later(resyncMs, () => repairServiceOf(stringAt(previous, 'metadata', 'name'), store, effects));
  });
}

function repairServiceOf(address: string, store: Store, effects: () => Effects): void {
  const service = store.list(serviceKind).find(candidate => addressesOf(candidate).includes(address));
  if (service !== undefined) repairService(service, store, effects);
}

function repairService(service: ValueMap, store: Store, effects: () => Effects): void {
  for (const address of addressesOf(service)) {
    if (!hasServiceRange(address, store.list(cidrKind))) continue;
    const object = store.find(addressKind, '', address);
    if (object !== undefined && isAddressOf(service, object, store)) continue;
    if (object !== undefined) remove(object, store);
    allocate(store, address, { service, effects: effects() });
  }
}

function isAddressOf(service: ValueMap, object: ValueMap, store: Store): boolean {
  if (!refersToService(object)) return false;
  if (storeKeyOf(service) !== referredKey(object) && serviceOf(object, store) === undefined) return false;
  const labels = Object.entries(addressLabels(stringAt(object, 'metadata', 'name')));
  return labels.every(([label, value]) => stringAt(object, 'metadata', 'labels', label) === value);
}

/** Removes an IPAddress of the allocator without a service. Returns the milliseconds after which to look again; 0 if it is settled. */
function settleAddress(object: ValueMap | undefined, store: Store, now: Date): number {
  const name = stringAt(object, 'metadata', 'name');
  const label = 'ipaddress.kubernetes.io/managed-by';
  if (object === undefined || stringAt(object, 'metadata', 'labels', label) !== addressLabels(name)[label]) return 0;
  const service = serviceOf(object, store);
  if (service !== undefined && addressesOf(service).includes(name)) return 0;
  const wait = refersToService(object) ? graceOf(object, service) - ageOf(object, now) : 0;
  if (wait > 0) return wait;
  remove(object, store);
  return 0;
}

/** Returns the time for which an IPAddress may wait for its service, in milliseconds. */
function graceOf(object: ValueMap, service: ValueMap | undefined): number {
  if (service === undefined || stringAt(service, 'spec', 'type') === 'ExternalName') return creationMs;
  return createdAt(object) > createdAt(service) ? revertMs : 0;
}

function ageOf(object: ValueMap, now: Date): number {
  return now.getTime() - createdAt(object);
}

function createdAt(object: ValueMap): number {
  return Date.parse(stringAt(object, 'metadata', 'creationTimestamp'));
}

function refersToService(object: ValueMap): boolean {
  return stringAt(object, 'spec', 'parentRef', 'group') === '' && stringAt(object, 'spec', 'parentRef', 'resource') === 'services';
}

/** `namespace/name` of what an IPAddress refers to. */
function referredKey(object: ValueMap): string {
  return `${stringAt(object, 'spec', 'parentRef', 'namespace')}/${stringAt(object, 'spec', 'parentRef', 'name')}`;
}

function serviceOf(object: ValueMap, store: Store): ValueMap | undefined {
  return store.find(serviceKind, stringAt(object, 'spec', 'parentRef', 'namespace'), stringAt(object, 'spec', 'parentRef', 'name'));
}

function remove(object: ValueMap, store: Store): void {
  store.remove(object, stringAt(object, 'metadata', 'resourceVersion'));
}
