import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { ensureMap, stringAt } from '../../../go/value.js';

/** Strategy of LimitRanges, which may have no name. Source: kubernetes pkg/registry/core/limitrange/strategy.go. */
export const limitRange: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    const metadata = ensureMap(object, 'metadata');
    if (stringAt(metadata, 'name') === '') metadata.set('name', context.effects.uid());
  },
});
