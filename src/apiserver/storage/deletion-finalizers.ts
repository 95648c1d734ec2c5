import { ensureMap, listAt, type Value, type ValueMap } from '../../go/value.js';
import { deletionRulesOf } from '../registry/kind-definition.js';
import type { StoreContext } from './store-context.js';

export const orphan = 'orphan';
export const foreground = 'foregroundDeletion';

/**
 * Sets the finalizers for the garbage collection of dependents. Returns whether they changed. Source: apiserver
 * registry/generic/registry/store.go deletionFinalizersForGarbageCollection.
 */
export function updateFinalizers(object: ValueMap, options: ValueMap, context: StoreContext): boolean {
  const before = listAt(object, 'metadata', 'finalizers');
  const policy = policyOf(before, options, context);
  const kept = before.filter(f => f !== orphan && f !== foreground);
  return setFinalizers(object, before, policy === undefined ? kept : [...kept, policy]);
}

/** Sets the finalizers; a different order is not a change. */
export function setFinalizers(object: ValueMap, before: readonly Value[], after: Value[]): boolean {
  const [old, wanted] = [new Set(before), new Set(after)];
  if (old.size === wanted.size && [...wanted].every(f => old.has(f))) return false;
  const metadata = ensureMap(object, 'metadata');
  if (after.length === 0) metadata.delete('finalizers');
  else metadata.set('finalizers', after);
  return true;
}

/** Returns the finalizer by the options; without a setting in them the object's first one, then the resource's default. */
function policyOf(before: readonly Value[], options: ValueMap, { server, endpoint }: StoreContext): string | undefined {
  const { dependents } = deletionRulesOf(server, endpoint.resource);
  if (dependents === 'none') return undefined;
  const orphans = options.get('orphanDependents');
  if (typeof orphans === 'boolean') return orphans ? orphan : undefined;
  const policy = options.get('propagationPolicy');
  if (typeof policy === 'string') return { Orphan: orphan, Foreground: foreground }[policy];
  const own = before.find(f => f === orphan || f === foreground);
  if (typeof own === 'string') return own;
  return dependents === 'orphaned' ? orphan : undefined;
}
