import { copyOf, listAt, mapAt, stringAt, toValue, type ValueMap, valueAt } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { Attributes } from '../admission/attributes.js';
import type { CallContext } from '../call/call-context.js';
import type { ApiObject } from '../objects/api-object.js';
import { deletionRulesOf } from '../registry/kind-definition.js';
import { beforeDelete, checkPreconditions, isDryRunOf, markAsDeleting } from './before-delete.js';
import { commitBuiltIn, commitRemoval, commitUpdate, removedObject } from './commit.js';
import { convertThroughStorage } from './custom-storage.js';
import { updateFinalizers } from './deletion-finalizers.js';
import type { StoreContext } from './store-context.js';
import { decodeInRequestVersion } from './stored-object.js';
import { fillWatchCaches, objectInStorage } from './watch-cache.js';

/** Result of a deletion request for an object. */
export type Deletion =
  /** It was already being deleted and this call does not shorten that. */
  | { readonly outcome: 'pending'; readonly object: ValueMap }
  /** It remains for its grace period, or until its finalizers are removed. */
  | { readonly outcome: 'marked'; readonly object: ValueMap }
  | { readonly outcome: 'removed'; readonly object: ValueMap }
  /** Dry run of a removal that had to check the finalizers first: the answer is an object, for any kind. */
  | { readonly outcome: 'wouldRemove'; readonly object: ValueMap };

/** Deletion of one object; admission runs as often as the store's steps require. */
export interface DeletionRequest {
  readonly old: ApiObject;
  /** Options in the reviews; a single deletion sets the grace period. */
  readonly options: ApiObject;
  readonly name: string;
  /** False for deletions of collections, which pass the options on unchanged. */
  readonly fillsOptions: boolean;
}

/** A deletion is admitted here, because that comes after the preconditions. */
type DeletionContext = StoreContext & Pick<CallContext, 'chain' | 'user'>;

/** Deletes one object. Source: apiserver registry/generic/registry/store.go Delete. */
export async function deleteOne(request: DeletionRequest, context: DeletionContext): Promise<Deletion> {
  const { old } = request;
  const options = { codec: request.options.codec, value: request.fillsOptions ? request.options.value : copyOf(request.options.value) };
  const admitted = { ...request, options: request.fillsOptions ? options : request.options };
  const isDryRun = isDryRunOf(options);
  checkPreconditions(options, old, context);
  const object = copyOf(old.value);
  const grace = beforeDelete(object, options.value, context);
  if (grace === 'pending') return { outcome: 'pending', object: old.value };
  const hadFinalizers = listAt(object, 'metadata', 'finalizers').length > 0;
  const finalizersChanged = updateFinalizers(object, options.value, context);
  const isPending = listAt(object, 'metadata', 'finalizers').length > 0;
  if (grace === 'graceful' || hadFinalizers || finalizersChanged) {
    await admitDeletion(admitted, await readAgain(old, context), context);
    if (grace === 'immediate' && isPending) markAsDeleting(object, context);
    if (isPending || (grace === 'graceful' && valueAt(options.value, 'gracePeriodSeconds') !== 0n)) {
      return { outcome: 'marked', object: isDryRun ? object : await commitMarked({ codec: old.codec, value: object }, old, context) };
    }
    if (isDryRun) return { outcome: 'wouldRemove', object: grace === 'graceful' ? object : zeroObject(old, context) };
  }
  // Only a graceful deletion is written before the removal, which is admitted again with the stored object.
  const marked = grace === 'graceful' && !isDryRun ? commitBuiltIn(object, old, context) : object;
  const removed =
    grace === 'graceful' ? await readAfterCommit({ codec: old.codec, value: marked }, context) : await readAgain(old, context);
  if (removed === undefined) return { outcome: 'removed', object: marked };
  await admitDeletion(admitted, removed, context);
  if (grace === 'immediate' && !isDryRun) {
    await readAgain(old, context);
    await fillWatchCaches(objectInStorage(old.value, context), context);
  }
  const version = isDryRun ? undefined : commitRemoval(removed, context);
  return { outcome: 'removed', object: removedObject(removed.value, version) };
}

/**
 * Returns a marked object as stored after the commit: watches show the mark before the removal. Others may have changed it meanwhile; the
 * removal does not depend on that. Undefined if it was removed, as by any update of such an object. Source: apiserver registry/generic/registry/store.go Delete.
 */
async function readAfterCommit(marked: ApiObject, context: StoreContext): Promise<ApiObject | undefined> {
  const { state, storage, endpoint } = context;
  if (state.live?.committed === undefined) return marked;
  await state.live.committed();
  const metadata = mapAt(marked.value, 'metadata');
  const found = storage.find(endpoint.resource.kind, stringAt(metadata, 'namespace'), stringAt(metadata, 'name'));
  if (found === undefined || stringAt(found, 'metadata', 'uid') !== stringAt(metadata, 'uid')) return undefined;
  const isChanged = stringAt(found, 'metadata', 'resourceVersion') !== stringAt(metadata, 'resourceVersion');
  return isChanged ? decodeInRequestVersion(found, context) : marked;
}

/** Returns the zero value of a kind's internal type in the kind's version: that is what a dry run of a removal reads. */
function zeroObject({ codec: { kind } }: ApiObject, { server, endpoint }: StoreContext): ValueMap {
  const { zeroMembers } = deletionRulesOf(server, endpoint.resource);
  return toValue({ kind: kind.kind, apiVersion: apiVersionOf(kind), ...zeroMembers }) as ValueMap;
}

/** Returns a marked object as read from storage. */
async function commitMarked({ codec, value }: ApiObject, old: ApiObject, context: StoreContext): Promise<ValueMap> {
  if (context.custom === undefined) return commitBuiltIn(value, old, context);
  const commit = commitUpdate(old.value, context);
  let lying: ValueMap | undefined;
  const onStored = (written: ValueMap): string | undefined => {
    lying = written;
    return commit?.(copyOf(written));
  };
  const kept = await convertThroughStorage({ codec, value }, context.custom, { keepsResourceVersion: false, onStored });
  await fillWatchCaches(lying, context);
  return codec.decode(codec.encode(kept)).value;
}

/** Returns the object as the store reads it now: a conversion webhook is called again. */
async function readAgain(old: ApiObject, context: StoreContext): Promise<ApiObject> {
  const { storage, endpoint, custom } = context;
  if (custom === undefined) return old;
  const found = storage.find(endpoint.resource.kind, stringAt(old.value, 'metadata', 'namespace'), stringAt(old.value, 'metadata', 'name'));
  return found === undefined ? old : decodeInRequestVersion(found, context);
}

/** Runs both phases of admission on a deletion. */
export async function admitDeletion(
  { options, name }: Pick<DeletionRequest, 'options' | 'name'>,
  old: ApiObject,
  context: DeletionContext,
): Promise<void> {
  const { endpoint, info, codec, user } = context;
  const { group, version, resource } = endpoint.resource;
  const attributes: Attributes = {
    operation: 'DELETE',
    kind: codec.kind,
    resource: { group, version, resource },
    subresource: info.subresource,
    name,
    namespace: info.namespace,
    object: undefined,
    oldObject: { codec: old.codec, value: copyOf(old.value) },
    options,
    dryRun: isDryRunOf(options),
    user,
  };
  await context.chain.admit(attributes);
  await context.chain.validate(attributes);
}
