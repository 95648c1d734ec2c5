import { canonicalAddress, hasServiceRange } from '../../apis/core/service/service-addresses.js';
import { copyOf, ensureMap, isMap, listAt, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import type { Effects } from '../../kubernetes/effects.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';

const group = 'networking.k8s.io';
export const addressKind = { group, kind: 'IPAddress' };
export const cidrKind = { group, kind: 'ServiceCIDR' };
export const serviceKind = { group: '', kind: 'Service' };
const [services, cidrs] = [kindName(serviceKind), kindName(cidrKind)];

/** Keeps an IPAddress for every address of a service. Source: kubernetes pkg/registry/core/service/ipallocator, storage/alloc.go. */
export function followServiceAddresses(store: Store, effects: () => Effects): void {
  store.subscribe(({ collection, object, previous }) => {
    if (collection !== services) return;
    const [now, before] = [addressesOf(object), addressesOf(previous)];
    for (const address of before) if (!now.includes(address)) release(store, address);
    if (object !== undefined)
      for (const address of now) if (!before.includes(address)) allocate(store, address, { service: object, effects: effects() });
  });
}

/** Returns the addresses that a service has allocated. */
export function addressesOf(service: ValueMap | undefined): readonly string[] {
  if (stringAt(service, 'spec', 'type') === 'ExternalName') return [];
  const texts = listAt(service, 'spec', 'clusterIPs').filter((text): text is string => typeof text === 'string' && text !== 'None');
  return texts.map(canonicalAddress);
}

/** An address that no ServiceCIDR contains any more keeps its object. */
function release(store: Store, address: string): void {
  const object = store.find(addressKind, '', address);
  if (object !== undefined && hasServiceRange(address, store.list(cidrKind)))
    store.remove(object, stringAt(object, 'metadata', 'resourceVersion'));
}

/** Returns the labels of the IPAddress of an address. */
export function addressLabels(address: string): Readonly<Record<string, string>> {
  return {
    'ipaddress.kubernetes.io/ip-family': address.includes(':') ? 'IPv6' : 'IPv4',
    'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
  };
}

/** Creates the IPAddress of a service, unless it exists. */
export function allocate(
  store: Store,
  address: string,
  { service, effects }: { readonly service: ValueMap; readonly effects: Effects },
): void {
  if (store.find(addressKind, '', address) !== undefined) return;
  const time = timestampOf(effects.now());
  const parentRef = {
    resource: 'services',
    namespace: stringAt(service, 'metadata', 'namespace'),
    name: stringAt(service, 'metadata', 'name'),
  };
  const fieldsV1 = {
    'f:metadata': { 'f:labels': { '.': {}, ...Object.fromEntries(Object.keys(addressLabels(address)).map(label => [`f:${label}`, {}])) } },
    'f:spec': { 'f:parentRef': { '.': {}, 'f:name': {}, 'f:namespace': {}, 'f:resource': {} } },
  };
  const managedFields = [
    { manager: 'kube-apiserver', operation: 'Update', apiVersion: `${group}/v1`, time, fieldsType: 'FieldsV1', fieldsV1 },
  ];
  const metadata = { name: address, uid: effects.uid(), creationTimestamp: time, labels: addressLabels(address), managedFields };
  store.create(toValue({ kind: 'IPAddress', apiVersion: `${group}/v1`, metadata, spec: { parentRef } }) as ValueMap);
}

/** Interval at which the API server looks for its ServiceCIDR. */
const recreateMs = 10_000;

/** Creates the ServiceCIDR `kubernetes` again after it was deleted. Source: kubernetes pkg/controlplane/controller/defaultservicecidr. */
export function followDefaultServiceCidr(store: Store, effects: () => Effects): void {
  const key = '/kubernetes';
  let first: ValueMap | undefined;
  store.subscribe(change => {
    if (change.collection !== cidrs || change.key !== key) return;
    first ??= change.object;
    if (change.object !== undefined) return;
    setTimeout(() => {
      if (first !== undefined) store.create(newlyCreated(first, effects()));
    }, recreateMs).unref();
  });
}

function newlyCreated(object: ValueMap, { uid, now }: Effects): ValueMap {
  const created = copyOf(object);
  const metadata = ensureMap(created, 'metadata');
  metadata.set('uid', uid());
  metadata.set('creationTimestamp', timestampOf(now()));
  const stamp = (list: readonly Value[], member: string): void => {
    for (const item of list) if (isMap(item)) item.set(member, timestampOf(now()));
  };
  stamp(listAt(metadata, 'managedFields'), 'time');
  stamp(listAt(created, 'status', 'conditions'), 'lastTransitionTime');
  return created;
}
