import { ensureMap, listAt, type Value, type ValueMap } from '../../go/value.js';
import type { CallContext } from '../handlers/call-context.js';

const orphan = 'orphan';
const foreground = 'foregroundDeletion';

/**
 * Sets the finalizers for the garbage collection of dependents. Returns whether they changed. Source: apiserver
 * registry/generic/registry/store.go deletionFinalizersForGarbageCollection.
 */
export function updateFinalizers(object: ValueMap, options: ValueMap, context: CallContext): boolean {
  const before = listAt(object, 'metadata', 'finalizers');
  const policy = policyOf(before, options, context);
  const kept = before.filter(f => f !== orphan && f !== foreground);
  return setFinalizers(object, before, policy === undefined ? kept : [...kept, policy]);
}

/** Sets the finalizers of a Namespace, each one separately. Source: kubernetes pkg/registry/core/namespace/storage. */
export function updateNamespaceFinalizers(object: ValueMap, options: ValueMap): boolean {
  const before = listAt(object, 'metadata', 'finalizers');
  const orphans = options.get('orphanDependents');
  const policy = options.get('propagationPolicy');
  const wants = (finalizer: string, isOrphan: boolean): boolean => {
    if (typeof orphans === 'boolean') return orphans === isOrphan;
    if (typeof policy === 'string') return policy === (isOrphan ? 'Orphan' : 'Foreground');
    return before.includes(finalizer);
  };
  const kept = before.filter(f => f !== orphan && f !== foreground);
  return setFinalizers(object, before, [
    ...kept,
    ...(wants(orphan, true) ? [orphan] : []),
    ...(wants(foreground, false) ? [foreground] : []),
  ]);
}

/** Sets the finalizers; a different order is not a change. */
function setFinalizers(object: ValueMap, before: readonly Value[], after: Value[]): boolean {
  const [old, wanted] = [new Set(before), new Set(after)];
  if (old.size === wanted.size && [...wanted].every(f => old.has(f))) return false;
  const metadata = ensureMap(object, 'metadata');
  if (after.length === 0) metadata.delete('finalizers');
  else metadata.set('finalizers', after);
  return true;
}

/** Returns the finalizer by the options; without a setting in them the object's first one, then the resource's default. */
function policyOf(before: readonly Value[], options: ValueMap, { endpoint }: CallContext): string | undefined {
  // Events, of both groups, have no dependents.
  if (endpoint.resource.resource === 'events') return undefined;
  const orphans = options.get('orphanDependents');
  if (typeof orphans === 'boolean') return orphans ? orphan : undefined;
  const policy = options.get('propagationPolicy');
  if (typeof policy === 'string') return { Orphan: orphan, Foreground: foreground }[policy];
  const own = before.find(f => f === orphan || f === foreground);
  if (typeof own === 'string') return own;
  return orphaning.has(`${endpoint.resource.resource}.${endpoint.resource.group}`) ? orphan : undefined;
}

/** Resources whose dependents are orphaned by default, for compatibility. Source: DefaultGarbageCollectionPolicy of their strategies. */
const orphaning = new Set(['jobs.batch', 'replicationcontrollers.']);
