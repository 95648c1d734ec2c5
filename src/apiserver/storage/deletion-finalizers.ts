import { ensureMap, listAt, type Value, type ValueMap } from '../../go/value.js';
import type { CallContext } from '../handlers/call-context.js';

const orphan = 'orphan';
const foreground = 'foregroundDeletion';

/**
 * Sets the finalizers that tell the garbage collector what to do with dependents. Returns true when others are needed than there were.
 * Source: apiserver registry/generic/registry/store.go deletionFinalizersForGarbageCollection.
 */
export function updateFinalizers(object: ValueMap, options: ValueMap, context: CallContext): boolean {
  const before = listAt(object, 'metadata', 'finalizers');
  const policy = policyOf(before, options, context);
  const kept = before.filter(f => f !== orphan && f !== foreground);
  return setFinalizers(object, before, policy === undefined ? kept : [...kept, policy]);
}

/** Returns the same for a Namespace, which takes each finalizer alone. Source: kubernetes pkg/registry/core/namespace/storage. */
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

/** Only other finalizers are a change, not another order of them. */
function setFinalizers(object: ValueMap, before: readonly Value[], after: Value[]): boolean {
  const [old, wanted] = [new Set(before), new Set(after)];
  if (old.size === wanted.size && [...wanted].every(f => old.has(f))) return false;
  const metadata = ensureMap(object, 'metadata');
  if (after.length === 0) metadata.delete('finalizers');
  else metadata.set('finalizers', after);
  return true;
}

/** Returns the finalizer that the options ask for; without a word in them the object's first one, then the resource's default. */
function policyOf(before: readonly Value[], options: ValueMap, { endpoint }: CallContext): string | undefined {
  // Nothing depends on events, of both groups.
  if (endpoint.resource.resource === 'events') return undefined;
  const orphans = options.get('orphanDependents');
  if (typeof orphans === 'boolean') return orphans ? orphan : undefined;
  const policy = options.get('propagationPolicy');
  if (typeof policy === 'string') return { Orphan: orphan, Foreground: foreground }[policy];
  const own = before.find(f => f === orphan || f === foreground);
  if (typeof own === 'string') return own;
  return orphaning.has(`${endpoint.resource.resource}.${endpoint.resource.group}`) ? orphan : undefined;
}

/** Resources whose dependents stay unless the call says otherwise, for compatibility. Source: DefaultGarbageCollectionPolicy of their strategies. */
const orphaning = new Set(['jobs.batch', 'replicationcontrollers.']);
