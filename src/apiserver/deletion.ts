import { conflict } from '../kubernetes/status-errors.js';
import { timestampOf } from '../kubernetes/timestamp.js';
import { copyOf, ensureMap, listAt, stringAt, type Value, type ValueMap, valueAt } from '../kubernetes/value.js';
import type { Attributes } from './admission/attributes.js';
import type { CallContext } from './call-context.js';
import { commitBuiltIn, commitRemoval, commitUpdate, removedObject } from './commit.js';
import { throughStorage } from './custom-storage.js';
import type { ApiObject } from './objects/api-object.js';
import { kindInErrors } from './registry/kind-traits.js';
import { isSame } from './stored-form.js';
import { inRequestVersion } from './stored-object.js';
import { fillWatchCaches, lyingObject } from './watch-cache.js';

/** What is left of an object after its deletion was asked for. */
export type Deletion =
  /** It was being deleted already and this call does not hasten it. */
  | { readonly outcome: 'pending'; readonly object: ValueMap }
  /** It stays for its grace period, or until its finalizers are gone. */
  | { readonly outcome: 'marked'; readonly object: ValueMap }
  | { readonly outcome: 'removed'; readonly object: ValueMap };

/** One object's deletion: admission runs as often as the store's own steps make it run. */
export interface DeletionRequest {
  readonly old: ApiObject;
  /** What the reviews carry; a single deletion fills in the grace period. */
  readonly options: ApiObject;
  readonly name: string;
  /** Deletions of collections pass the options on as they were sent. */
  readonly fillsOptions: boolean;
  /** The object is only marked by the caller: nothing is removed. */
  readonly marksOnly?: boolean;
}

/** Deletes one object. Source: apiserver registry/generic/registry/store.go Delete, registry/rest/delete.go BeforeDelete. */
export async function deleteOne(request: DeletionRequest, context: CallContext): Promise<Deletion> {
  const { old } = request;
  const options = { codec: request.options.codec, value: request.fillsOptions ? request.options.value : copyOf(request.options.value) };
  checkPreconditions(options, old, context);
  const object = copyOf(old.value);
  const graceful = beforeDelete(object, options.value, context);
  if (graceful === 'pending') return { outcome: 'pending', object: old.value };
  const finalizersChanged = updateFinalizers(object, options.value, context);
  const pending = listAt(object, 'metadata', 'finalizers').length > 0;
  const shown = request.fillsOptions ? options : request.options;
  if (graceful === 'immediate' && !pending && !finalizersChanged) {
    // The store reads what it removes once more before admission, and what it removed afterwards.
    const again = await reread(old, context);
    await admit({ ...request, options: shown }, again, context);
    let version: string | undefined;
    if (valueAt(options.value, 'dryRun') === undefined) {
      await reread(old, context);
      await fillWatchCaches(lyingObject(old.value, context), context);
      if (request.marksOnly !== true) version = commitRemoval(old, context);
    }
    return { outcome: 'removed', object: removedObject(old.value, version) };
  }
  await admit({ ...request, options: shown }, await reread(old, context), context);
  if (graceful === 'immediate' && pending) markAsDeleting(object, 0n, context);
  if (request.marksOnly === true) return { outcome: 'marked', object };
  if (pending || (graceful === 'graceful' && valueAt(options.value, 'gracePeriodSeconds') !== 0n)) {
    if (valueAt(options.value, 'dryRun') !== undefined) return { outcome: 'marked', object };
    if (context.custom === undefined) return { outcome: 'marked', object: commitBuiltIn(object, old, context) };
    if (context.state.live !== undefined && isSame({ codec: old.codec, value: object }, old)) return { outcome: 'marked', object };
    const commit = commitUpdate(old.value, context);
    let stored: ValueMap | undefined;
    const onStored = (value: ValueMap): string | undefined => {
      stored = value;
      return commit?.(copyOf(value));
    };
    const kept = await throughStorage({ codec: old.codec, value: object }, context.custom, { keepsResourceVersion: false, onStored });
    await fillWatchCaches(stored, context);
    return { outcome: 'marked', object: old.codec.decode(old.codec.encode(kept)).value };
  }
  const isDryRun = valueAt(options.value, 'dryRun') !== undefined;
  if (!isDryRun) await commitMarked(object, old, context);
  // The removal itself is admitted again, on the object as it was just marked.
  await admit({ ...request, options: shown }, { codec: old.codec, value: object }, context);
  const version = isDryRun ? undefined : commitRemoval({ codec: old.codec, value: object }, context);
  return { outcome: 'removed', object: removedObject(object, version) };
}

/** The mark is a write of its own, which watches see. */
async function commitMarked(object: ValueMap, old: ApiObject, context: CallContext): Promise<void> {
  if (context.state.live === undefined) return;
  if (context.custom === undefined) {
    commitBuiltIn(object, old, context);
    return;
  }
  const commit = commitUpdate(old.value, context);
  const onStored = (value: ValueMap): string | undefined => commit?.(copyOf(value));
  const kept = await throughStorage({ codec: old.codec, value: object }, context.custom, { keepsResourceVersion: false, onStored });
  ensureMap(object, 'metadata').set('resourceVersion', stringAt(kept, 'metadata', 'resourceVersion'));
}

/** The object as the store reads it at this moment: a conversion webhook is called again. */
async function reread(old: ApiObject, context: CallContext): Promise<ApiObject> {
  const { storage, endpoint, custom } = context;
  if (custom === undefined) return old;
  const stored = storage.find(
    endpoint.resource.kind,
    stringAt(old.value, 'metadata', 'namespace'),
    stringAt(old.value, 'metadata', 'name'),
  );
  return stored === undefined ? old : inRequestVersion(stored, context);
}

async function admit({ options, name }: DeletionRequest, old: ApiObject, context: CallContext): Promise<void> {
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
    dryRun: valueAt(options.value, 'dryRun') !== undefined,
    user,
  };
  await context.chain.admit(attributes);
  await context.chain.validate(attributes);
}

/** Only pods are deleted gracefully. Marks the object where that is so and fills in the grace period. */
function beforeDelete(object: ValueMap, options: ValueMap, context: CallContext): 'immediate' | 'graceful' | 'pending' {
  const isPod = context.endpoint.resource.kind.kind === 'Pod' && context.endpoint.resource.group === '';
  if (typeof options.get('gracePeriodSeconds') === 'bigint' && (options.get('gracePeriodSeconds') as bigint) < 0n)
    options.set('gracePeriodSeconds', 1n);
  const metadata = ensureMap(object, 'metadata');
  const asked = options.get('gracePeriodSeconds');
  const current = metadata.get('deletionGracePeriodSeconds');
  if (metadata.get('deletionTimestamp') !== undefined) {
    if (typeof current !== 'bigint') return isPod ? 'pending' : 'immediate';
    if (current === 0n) return 'immediate';
    if (typeof asked !== 'bigint' || asked >= current) return 'pending';
    shorten(object, { asked, current }, context);
    return 'graceful';
  }
  if (!isPod) return 'immediate';
  const grace = podGrace(object, asked);
  options.set('gracePeriodSeconds', grace);
  markAsDeleting(object, grace, context);
  return 'graceful';
}

/** Source: kubernetes pkg/registry/core/pod/strategy.go CheckGracefulDelete. */
function podGrace(pod: ValueMap, asked: Value | undefined): bigint {
  const own = valueAt(pod, 'spec', 'terminationGracePeriodSeconds');
  const wanted = typeof asked === 'bigint' ? asked : typeof own === 'bigint' ? own : 0n;
  const phase = stringAt(pod, 'status', 'phase');
  if (stringAt(pod, 'spec', 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed') return 0n;
  return wanted < 0n ? 1n : wanted;
}

/** The first mark counts as a change of the object. */
function markAsDeleting(object: ValueMap, grace: bigint, context: CallContext): void {
  const before = stringAt(object, 'metadata', 'deletionTimestamp');
  if (before !== '' && Date.parse(before) <= context.effects.now().getTime()) {
    ensureMap(object, 'metadata').set('deletionGracePeriodSeconds', grace);
    return;
  }
  setDeletion(object, grace, context);
  const metadata = ensureMap(object, 'metadata');
  const generation = metadata.get('generation');
  if (typeof generation === 'bigint' && generation > 0n) metadata.set('generation', BigInt.asIntN(64, generation + 1n));
}

function setDeletion(object: ValueMap, grace: bigint, { effects }: CallContext): void {
  const metadata = ensureMap(object, 'metadata');
  metadata.set('deletionTimestamp', timestampOf(new Date(effects.now().getTime() + Number(grace) * 1000)));
  metadata.set('deletionGracePeriodSeconds', grace);
}

/** The end moves forward to what is asked for, counted from the first mark; never into the past. */
function shorten(
  object: ValueMap,
  { asked, current }: { readonly asked: bigint; readonly current: bigint },
  { effects }: CallContext,
): void {
  const metadata = ensureMap(object, 'metadata');
  const now = effects.now().getTime();
  const end = Date.parse(stringAt(metadata, 'deletionTimestamp')) - Number(current - asked) * 1000;
  const isOver = end < now;
  const gets = isOver && asked !== 0n ? 1n : asked;
  metadata.set('deletionTimestamp', timestampOf(new Date(isOver ? now + Number(gets) * 1000 : end)));
  metadata.set('deletionGracePeriodSeconds', gets);
}

const orphan = 'orphan';
const foreground = 'foregroundDeletion';

/** Finalizers tell the garbage collector what to do with dependents. Are others needed than there were? Source: store.go deletionFinalizersForGarbageCollection. */
export function updateFinalizers(object: ValueMap, options: ValueMap, context: CallContext): boolean {
  if (!hasDependents(context)) return false;
  const before = listAt(object, 'metadata', 'finalizers');
  const kept = before.filter(f => f !== orphan && f !== foreground);
  const after = [
    ...kept,
    ...(wantsOrphans(before, options, context) ? [orphan] : []),
    ...(wantsForeground(before, options, context) ? [foreground] : []),
  ];
  if (after.length === before.length && after.every(f => before.includes(f))) return false;
  const metadata = ensureMap(object, 'metadata');
  if (after.length === 0) metadata.delete('finalizers');
  else metadata.set('finalizers', after);
  return true;
}

function wantsOrphans(before: readonly Value[], options: ValueMap, { endpoint }: CallContext): boolean {
  if (typeof options.get('orphanDependents') === 'boolean') return options.get('orphanDependents') === true;
  const policy = options.get('propagationPolicy');
  if (typeof policy === 'string') return policy === 'Orphan';
  if (before.includes(foreground)) return false;
  return before.includes(orphan) || orphaning.has(`${endpoint.resource.resource}.${endpoint.resource.group}`);
}

/** Resources whose dependents stay unless the call says otherwise, for compatibility. Source: DefaultGarbageCollectionPolicy of their strategies. */
const orphaning = new Set(['jobs.batch', 'replicationcontrollers.']);

/** Nothing depends on events: `events` of both groups. */
function hasDependents({ endpoint }: CallContext): boolean {
  return endpoint.resource.resource !== 'events';
}

function wantsForeground(before: readonly Value[], options: ValueMap, { endpoint }: CallContext): boolean {
  // Namespaces take the older option for its opposite.
  const orphans = options.get('orphanDependents');
  if (typeof orphans === 'boolean') {
    const isNamespace = endpoint.resource.group === '' && endpoint.resource.resource === 'namespaces';
    return isNamespace && !orphans;
  }
  const policy = options.get('propagationPolicy');
  return typeof policy === 'string' ? policy === 'Foreground' : before.includes(foreground);
}

/** Source: apiserver registry/rest/delete.go BeforeDelete. */
function checkPreconditions(options: ApiObject, old: ApiObject, { endpoint, info }: CallContext): void {
  const fields = [
    ['uid', 'UID', 'deleted and then recreated'],
    ['resourceVersion', 'ResourceVersion', 'modified'],
  ] as const;
  for (const [field, words, happened] of fields) {
    const wanted = valueAt(options.value, 'preconditions', field);
    const stored = stringAt(old.value, 'metadata', field);
    if (typeof wanted !== 'string' || wanted === stored) continue;
    const why = `the ${words} in the precondition (${wanted}) does not match the ${words} in record (${stored}). The object might have been ${happened}`;
    const { group, kind } = kindInErrors(old, endpoint.resource);
    throw conflict({ group, resource: kind }, info.name, why);
  }
}
