import { restore } from '../../../apiserver/registry/common-strategy.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { ensureMap, listAt, stringAt, toValue } from '../../../go/value.js';

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
