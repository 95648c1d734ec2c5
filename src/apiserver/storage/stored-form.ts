import {
  copyOf,
  isList,
  isMap,
  isRawJson,
  listAt,
  mapAt,
  sameValue,
  stringAt,
  type Value,
  type ValueMap,
  valueAt,
} from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { storedValue } from '../objects/stored-value.js';
import type { StoreContext } from './store-context.js';

/**
 * Reports whether a no-op update finds another text in etcd than the watch cache suggests. The cache shows an object with the defaults
 * applied on read, which storage lacks until the object is written again. The API server retries such an update from the start. Source:
 * apiserver storage/etcd3/store.go GuaranteedUpdate.
 */
export function isStoredOtherwise(object: ApiObject, old: ApiObject, { endpoint, state }: StoreContext): boolean {
  // A deletion that only marked the object wrote it again.
  if (stringAt(old.value, 'metadata', 'deletionTimestamp') !== '') return false;
  if (!state.options.watchCache) return false;
  if (endpoint.resource.custom) {
    const hasStatus = endpoint.resource.subresources.some(subresource => subresource.name === 'status');
    return hasStatus && !hasStatusOwner(old.value) && isSameStoredForm(object, old) && hasDefaultStatus(old);
  }
  return isAsCreated(old.value) && defaultedWhenRead(old) && isSameStoredForm(object, old);
}

const generatedLabels = ['batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name', 'controller-uid', 'job-name'];

/** Reports whether a built-in object has a default that is applied on read and not on create. */
function defaultedWhenRead({ codec, value }: ApiObject): boolean {
  const kind = `${apiVersionOf(codec.kind)} ${codec.kind.kind}`;
  // The status is dropped on create.
  if (kind === 'v1 PersistentVolumeClaim') return stringAt(value, 'status', 'phase') === 'Pending';
  if (kind !== 'batch/v1 Job') return false;
  // A template without labels gets some on create, which the Job copies when it is read.
  const labels = mapAt(value, 'metadata', 'labels');
  return labels?.size === generatedLabels.length && generatedLabels.every(label => labels.has(label));
}

/**
 * Reports whether the object is unchanged since its creation, by its managed fields; without them that is unknown. A creation has one
 * manager.
 */
function isAsCreated(value: ValueMap): boolean {
  const entries = listAt(value, 'metadata', 'managedFields');
  const created = stringAt(value, 'metadata', 'creationTimestamp');
  return entries.length === 1 && entries.every(entry => stringAt(entry, 'subresource') === '' && stringAt(entry, 'time') === created);
}

/**
 * Reports whether storage would contain the same bytes. Such an update is not written. Source: apiserver storage/etcd3/store.go
 * GuaranteedUpdate.
 */
export function isSameStoredForm(object: ApiObject, old: ApiObject): boolean {
  if (isCustomCodec(object.codec)) return sameValue(withoutVersions(object.value), withoutVersions(old.value));
  if (differ(object.value, old.value)) return false;
  // In JSON an absent struct equals an empty one.
  const [now, before] = [object, old].map(({ value, codec }) => codec.encode(withoutVersions(storedValue(value, codec))));
  return now === before;
}

/** Reports whether built-in objects certainly differ: in a text, number, flag or raw JSON that both have, other than a version, or in the length of a list. */
function differ(a: Value, b: Value | undefined): boolean {
  if (isMap(a)) {
    if (isMap(b)) for (const [key, member] of a) if (!isVersion(key) && differ(member, b.get(key))) return true;
    return false;
  }
  if (isList(a)) {
    if (!isList(b) || a.length === 0 || b.length === 0) return false;
    return a.length !== b.length || a.some((item, i) => differ(item, b[i]));
  }
  if (isRawJson(a)) return isRawJson(b) && a.rawJson !== b.rawJson;
  return typeof a === typeof b && typeof a !== 'object' && a !== b;
}

function hasStatusOwner(object: ValueMap): boolean {
  return listAt(object, 'metadata', 'managedFields').some(entry => valueAt(entry, 'fieldsV1', 'f:status') !== undefined);
}

/** Reports whether the status has only defaults. */
function hasDefaultStatus({ codec, value }: ApiObject): boolean {
  if (!value.has('status')) return false;
  const bare = copyOf(value);
  bare.delete('status');
  codec.applyDefaults(bare);
  return sameValue(bare.get('status') ?? null, value.get('status') ?? null);
}

/** Returns the object without the versions, which are not part of the stored bytes. */
function withoutVersions(object: ValueMap): ValueMap {
  const copy = new Map(object);
  const metadata = mapAt(object, 'metadata');
  if (isMap(metadata)) copy.set('metadata', new Map([...metadata].filter(([name]) => !isVersion(name))));
  return copy;
}

function isVersion(name: string): boolean {
  return name === 'resourceVersion' || name === 'selfLink';
}
