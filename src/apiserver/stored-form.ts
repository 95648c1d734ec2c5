import { copyOf, isMap, listAt, mapAt, sameValue, type ValueMap, valueAt } from '../kubernetes/value.js';
import type { CallContext } from './call-context.js';
import type { ApiObject } from './objects/api-object.js';

/**
 * Does an update that changes nothing find another text in etcd than the watch cache made it expect? That shows a custom resource with the
 * defaults of its status, which storage lacks until somebody writes the status: creation drops it. The API server tries such an update
 * again, from the start. Source: apiserver storage/etcd3/store.go GuaranteedUpdate.
 */
export function isStoredOtherwise(object: ApiObject, old: ApiObject, { endpoint, state }: CallContext): boolean {
  const { custom, subresources } = endpoint.resource;
  if (!custom || !subresources.some(subresource => subresource.name === 'status')) return false;
  if (state.flags.includes('--watch-cache=false') || hasStatusOwner(old.value)) return false;
  return sameValue(withoutResourceVersion(object.value), withoutResourceVersion(old.value)) && hasDefaultStatus(old);
}

function hasStatusOwner(object: ValueMap): boolean {
  return listAt(object, 'metadata', 'managedFields').some(entry => valueAt(entry, 'fieldsV1', 'f:status') !== undefined);
}

/** Is the status nothing but its defaults? */
function hasDefaultStatus({ codec, value }: ApiObject): boolean {
  if (!value.has('status')) return false;
  const bare = copyOf(value);
  bare.delete('status');
  codec.applyDefaults(bare);
  return sameValue(bare.get('status') ?? null, value.get('status') ?? null);
}

function withoutResourceVersion(object: ValueMap): ValueMap {
  const copy = new Map(object);
  const metadata = mapAt(object, 'metadata');
  if (isMap(metadata)) copy.set('metadata', new Map([...metadata].filter(([name]) => name !== 'resourceVersion')));
  return copy;
}
