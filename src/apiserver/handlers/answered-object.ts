import { storedResourceVersion } from '../../encoding/compact-object.js';
import { copyOf, ensureMap, mapAt, sameValue, stringAt, type ValueMap } from '../../go/value.js';
import { lazy } from '../../kubernetes/memoize.js';
import type { CallContext } from '../call/call-context.js';
import type { ApiObject } from '../objects/api-object.js';
import { isCustomCodec } from '../objects/custom-codec.js';
import { storedValue } from '../objects/stored-value.js';
import { strategyFor } from '../registry/generic/strategy-for.js';
import { noteAsWritten } from '../storage/as-written.js';
import { type Commit, storedForm } from '../storage/commit.js';
import { convertThroughStorage } from '../storage/custom-storage.js';
import { keepShown } from '../storage/shown-object.js';

/** Kind of write. */
export interface Write {
  readonly dryRun: boolean;
  readonly isUpdate: boolean;
  /** Receives the object as it is stored, a custom resource in the version of storage; an error that it throws ends the write. */
  readonly onStored?: (stored: ValueMap) => void;
  /** Stores the object; absent without live storage. */
  readonly commit?: Commit | undefined;
}

/**
 * Returns the object as read back from storage, with defaults applied; a custom resource is also converted and pruned. A dry run of an
 * update keeps the resourceVersion. Lazy: the object does not change after its write, and decoding a built-in one, which never fails, is
 * only needed when the answer is read.
 */
export async function readBackFromStorage({ codec, value }: ApiObject, write: Write, context: CallContext): Promise<() => ApiObject> {
  const { custom, definition, endpoint, info } = context;
  // selfLink is not stored.
  if (!write.dryRun) mapAt(value, 'metadata')?.delete('selfLink');
  if (custom !== undefined && isCustomCodec(codec)) {
    const onStored = (stored: ValueMap): string | undefined => {
      write.onStored?.(stored);
      return write.commit?.(copyOf(stored));
    };
    const kept = { keepsResourceVersion: write.dryRun && write.isUpdate, onStored };
    const answered = await convertThroughStorage({ codec, value }, custom, kept);
    return () => ({ codec, value: answered });
  }
  write.onStored?.(value);
  const now = context.effects.now();
  const { decorate } = strategyFor(context.server, endpoint.resource, info.subresource, definition);
  const shownAs = (stored: ValueMap): ApiObject => {
    codec.applyDefaults(stored, now);
    decorate?.(stored, info.subresource);
    return { codec, value: stored };
  };
  if (write.commit === undefined) return () => shownAs(storedValue(value, codec));
  const { stored, isWhole, textAt } = storedForm({ codec, value });
  const version = write.commit(stored, textAt);
  if (version !== undefined) ensureMap(value, 'metadata').set('resourceVersion', version);
  const written = version === undefined ? undefined : writtenObject(value, version, context);
  // The next list or watch needs no decoding.
  return lazy(() => {
    const answered = shownAs(stored);
    if (written === undefined || info.subresource !== '') return answered;
    const isAsStored = isWhole && sameValue(answered.value, value);
    if (isAsStored && decorate === undefined) noteAsWritten(written, context.server);
    return keepShown(written, answered, context, isAsStored);
  });
}

/** Returns the object that was just stored; undefined if it has changed since. */
function writtenObject(value: ValueMap, version: string, { state, endpoint }: CallContext): ValueMap | undefined {
  const { resource } = endpoint;
  const namespace = resource.namespaced ? stringAt(value, 'metadata', 'namespace') : '';
  const found = state.live?.find(resource.kind, namespace, stringAt(value, 'metadata', 'name'));
  return found !== undefined && storedResourceVersion(found) === version ? found : undefined;
}
