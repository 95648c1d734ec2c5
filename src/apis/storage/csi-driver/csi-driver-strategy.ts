import { countGeneration, equalIn } from '../../../apiserver/registry/common-strategy.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';

/**
 * Strategy of CSI drivers: the first generation is set by the first change. Source: kubernetes pkg/registry/storage/csidriver/strategy.go.
 */
export const csiDriver: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (!equalIn(context.server, context.resource, 'spec', object, old)) countGeneration(object, old);
  },
});
