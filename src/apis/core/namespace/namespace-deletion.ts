import type { DeletionRules } from '../../../apiserver/registry/deletion-rules.js';
import { foreground, orphan, setFinalizers } from '../../../apiserver/storage/deletion-finalizers.js';
import { ensureMap, listAt, type ValueMap } from '../../../go/value.js';

/** A Namespace is removed once it is empty. Source: kubernetes pkg/registry/core/namespace/storage. */
export const namespaceDeletion: DeletionRules = {
  returnsObject: true,
  firstMark: {
    mark: (object, options) => {
      ensureMap(object, 'status').set('phase', 'Terminating');
      updateFinalizers(object, options);
    },
    keeps: object => listAt(object, 'spec', 'finalizers').length > 0,
  },
};

/** Sets the finalizers for dependents, each one separately. */
function updateFinalizers(object: ValueMap, options: ValueMap): void {
  const before = listAt(object, 'metadata', 'finalizers');
  const orphans = options.get('orphanDependents');
  const policy = options.get('propagationPolicy');
  const wants = (finalizer: string, isOrphan: boolean): boolean => {
    if (typeof orphans === 'boolean') return orphans === isOrphan;
    if (typeof policy === 'string') return policy === (isOrphan ? 'Orphan' : 'Foreground');
    return before.includes(finalizer);
  };
  const kept = before.filter(f => f !== orphan && f !== foreground);
  setFinalizers(object, before, [...kept, ...(wants(orphan, true) ? [orphan] : []), ...(wants(foreground, false) ? [foreground] : [])]);
}
