import { storedResourceVersion } from '../../encoding/compact-object.js';
import { ensureMap, sameValue, stringAt, type ValueMap } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { TextAt } from '../../kubernetes/live-storage.js';
import { alreadyExists } from '../../kubernetes/status-errors.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { copyToStore } from '../objects/stored-value.js';
import { writeToStorage } from './custom-storage.js';
import type { StoreContext } from './store-context.js';
import { isSameStoredForm } from './stored-form.js';

/** Another call changed the object since this call read it: the call is retried. */
export class ConcurrentWrite extends Error {
  override readonly name = 'ConcurrentWrite';
}

/** Stores an object in its stored form, of which the text may be known, and returns its resourceVersion; undefined without live storage. */
export type Commit = (stored: ValueMap, textAt?: TextAt) => string | undefined;

/** Stores a new object. Throws a 409 if its name exists by now. */
export function commitCreation({ state, endpoint }: StoreContext): Commit | undefined {
  const { live } = state;
  if (live === undefined) return undefined;
  return (stored, textAt) => {
    const version = live.create(withoutVersion(stored), textAt);
    if (version === undefined) throw alreadyExists(endpoint.resource, stringAt(stored, 'metadata', 'name'));
    return version;
  };
}

/**
 * Replaces the object that the call read. A custom resource that is stored as it would be written is not written: it keeps its
 * resourceVersion. Throws ConcurrentWrite if it has changed. Source: apiserver storage/etcd3/store.go GuaranteedUpdate.
 */
export function commitUpdate(old: ValueMap, context: StoreContext): Commit | undefined {
  const { live } = context.state;
  if (live === undefined) return undefined;
  return (stored, textAt) => {
    const expected = stringAt(old, 'metadata', 'resourceVersion');
    if (context.custom !== undefined && isStoredAs(stored, expected, context)) return expected;
    // An eviction updates the budget of its pod. Only a custom resource can be stored as another kind than that of its resource.
    const served = context.custom === undefined ? undefined : context.endpoint.resource.kind;
    const version = live.update(withoutVersion(stored), expected, served, textAt);
    if (version === undefined) throw new ConcurrentWrite();
    return version;
  };
}

/** Reports whether storage has an object in exactly this form, at the revision `expected`. */
function isStoredAs(stored: ValueMap, expected: string, { state, endpoint }: StoreContext): boolean {
  const { resource } = endpoint;
  const namespace = resource.namespaced ? stringAt(stored, 'metadata', 'namespace') : '';
  const found = state.live?.find(resource.kind, namespace, stringAt(stored, 'metadata', 'name'));
  if (found === undefined || storedResourceVersion(found) !== expected) return false;
  return sameValue(withoutVersion(found), withoutVersion(stored));
}

/**
 * Reports whether an update that changes nothing finds an object that would be written otherwise: in another version, without defaults,
 * with fields that are pruned.
 */
export async function isStoredInOtherForm(object: ApiObject, old: ApiObject, context: StoreContext): Promise<boolean> {
  if (context.custom === undefined || !isSameStoredForm(object, old)) return false;
  const stored = await writeToStorage(object, context.custom, false);
  return !isStoredAs(stored, stringAt(old.value, 'metadata', 'resourceVersion'), context);
}

/** Removes the object that the call read, under the same condition. Returns the resourceVersion of the removal. */
export function commitRemoval(old: ApiObject, { state, endpoint }: StoreContext): string | undefined {
  const { live } = state;
  if (live === undefined) return undefined;
  const version = live.remove(old.value, stringAt(old.value, 'metadata', 'resourceVersion'), endpoint.resource.kind);
  if (version === undefined) throw new ConcurrentWrite();
  return version;
}

/** Returns the object for the response to its removal, with the resourceVersion of the removal. */
export function removedObject(object: ValueMap, version: string | undefined): ValueMap {
  if (version === undefined) return object;
  const metadata = new Map(ensureMap(object, 'metadata')).set('resourceVersion', version);
  return new Map(object).set('metadata', metadata);
}

/** Replaces a built-in object and sets its new resourceVersion. */
export function commitBuiltIn(object: ValueMap, old: ApiObject, context: StoreContext): ValueMap {
  const commit = commitUpdate(old.value, context);
  if (commit === undefined || isCustomCodec(old.codec) || isSameStoredForm({ codec: old.codec, value: object }, old)) return object;
  const { stored, textAt } = storedForm({ codec: old.codec, value: object });
  const version = commit(stored, textAt);
  if (version !== undefined) ensureMap(object, 'metadata').set('resourceVersion', version);
  return object;
}

interface StoredForm {
  readonly stored: ValueMap;
  /** Whether it has all members of the object: otherwise storage leaves some out. */
  readonly isWhole: boolean;
  /** Changes its resourceVersion, and returns its text. */
  readonly textAt: TextAt;
}

/** Returns the stored form of a built-in object: as returned by GET, with its kind, in the version in which it was written. */
export function storedForm({ codec, value }: ApiObject): StoredForm {
  const { stored, isWhole, hasEmptyBytes } = copyToStore(value, codec);
  if (!stored.has('kind')) stored.set('kind', codec.kind.kind);
  if (!stored.has('apiVersion')) stored.set('apiVersion', apiVersionOf(codec.kind));
  const textAt: TextAt = resourceVersion => {
    ensureMap(stored, 'metadata').set('resourceVersion', resourceVersion);
    return hasEmptyBytes ? undefined : codec.encode(stored);
  };
  return { stored, isWhole, textAt };
}

/** Returns the object without its resourceVersion, which is not stored. */
export function withoutVersion(object: ValueMap): ValueMap {
  const metadata = new Map(ensureMap(object, 'metadata'));
  metadata.delete('resourceVersion');
  return new Map(object).set('metadata', metadata);
}
