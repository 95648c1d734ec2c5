import { ensureMap, listAt, stringAt, toValue } from '../../../kubernetes/value.js';
import { restore } from '../common-strategy.js';
import type { Refinement } from '../strategy.js';

/** Source: kubernetes pkg/registry/core/namespace/strategy.go. */
export const namespace: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    object.set('status', toValue({ phase: 'Active' }));
    const spec = ensureMap(object, 'spec');
    const finalizers = listAt(spec, 'finalizers');
    if (!finalizers.includes('kubernetes')) spec.set('finalizers', [...finalizers, 'kubernetes']);
  },
  prepareForUpdate: (object, old, context) => {
    if (context.subresource === 'finalize') return restore(object, old, 'status');
    base.prepareForUpdate(object, old, context);
    if (context.subresource === '') ensureMap(object, 'spec').set('finalizers', listAt(old, 'spec', 'finalizers'));
  },
  // After validation, so that a generated name gets its label too.
  canonicalize: object => {
    const name = stringAt(object, 'metadata', 'name');
    if (name !== '') ensureMap(ensureMap(object, 'metadata'), 'labels').set('kubernetes.io/metadata.name', name);
  },
});
