import { ensureMap, stringAt, type ValueMap } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import { alreadyExists } from '../../kubernetes/status-errors.js';
import type { CallContext } from '../handlers/call-context.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom/custom-codec.js';
import { storedValue } from '../objects/stored-value.js';
import { isSame } from './stored-form.js';

/** Another call wrote the object after this one read it: the call starts again. */
export class ConcurrentWrite extends Error {
  override readonly name = 'ConcurrentWrite';
}

/** Puts an object into live storage, in its stored form, and returns its resourceVersion; undefined where nothing is kept. */
export type Commit = (stored: ValueMap) => string | undefined;

/** Commits a new object. Throws the 409 when its name was taken meanwhile. */
export function commitCreation({ state, endpoint }: CallContext): Commit | undefined {
  const { live } = state;
  if (live === undefined) return undefined;
  return stored => {
    const version = live.create(withoutVersion(stored));
    if (version === undefined) throw alreadyExists(endpoint.resource, stringAt(stored, 'metadata', 'name'));
    return version;
  };
}

/** Commits an object over the one that the call read. Throws ConcurrentWrite when that is no longer the stored one. */
export function commitUpdate(old: ValueMap, { state }: CallContext): Commit | undefined {
  const { live } = state;
  if (live === undefined) return undefined;
  return stored => {
    const version = live.update(withoutVersion(stored), stringAt(old, 'metadata', 'resourceVersion'));
    if (version === undefined) throw new ConcurrentWrite();
    return version;
  };
}

/** Removes the object that the call read, under the same condition. Returns the resourceVersion of the removal. */
export function commitRemoval(old: ApiObject, { state }: CallContext): string | undefined {
  const { live } = state;
  if (live === undefined) return undefined;
  const version = live.remove(old.value, stringAt(old.value, 'metadata', 'resourceVersion'));
  if (version === undefined) throw new ConcurrentWrite();
  return version;
}

/** The object as its removal answers it: with the resourceVersion of the removal. */
export function removedObject(object: ValueMap, version: string | undefined): ValueMap {
  if (version === undefined) return object;
  const metadata = new Map(ensureMap(object, 'metadata')).set('resourceVersion', version);
  return new Map(object).set('metadata', metadata);
}

/** Commits a built-in object over the one that was read and gives it the new resourceVersion. */
export function commitBuiltIn(object: ValueMap, old: ApiObject, context: CallContext): ValueMap {
  const commit = commitUpdate(old.value, context);
  if (commit === undefined || isCustomCodec(old.codec) || isSame({ codec: old.codec, value: object }, old)) return object;
  const version = commit(storedForm({ codec: old.codec, value: object }));
  if (version !== undefined) ensureMap(object, 'metadata').set('resourceVersion', version);
  return object;
}

/** A built-in object as storage keeps it: as a GET shows it, with its kind, in the version it was written in. */
export function storedForm({ codec, value }: ApiObject): ValueMap {
  const stored = codec.toUnstructured(storedValue(value, codec));
  const named: ValueMap = new Map([
    ['kind', codec.kind.kind],
    ['apiVersion', apiVersionOf(codec.kind)],
  ]);
  for (const [key, member] of stored) named.set(key, member);
  return named;
}

function withoutVersion(object: ValueMap): ValueMap {
  const metadata = new Map(ensureMap(object, 'metadata'));
  metadata.delete('resourceVersion');
  return new Map(object).set('metadata', metadata);
}
