import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { ensureMap, stringAt, toValue } from '../../../go/value.js';
import { timestampOf } from '../../../kubernetes/timestamp.js';

/** Source: kubernetes pkg/registry/core/persistentvolume/strategy.go. */
export const persistentVolume: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    object.set('status', toValue({ phase: 'Pending', lastPhaseTransitionTime: timestampOf(context.effects.now()) }));
  },
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource !== 'status') return;
    const status = ensureMap(object, 'status');
    const changed = stringAt(status, 'phase') !== stringAt(old, 'status', 'phase');
    const sent = stringAt(status, 'lastPhaseTransitionTime');
    const before = stringAt(old, 'status', 'lastPhaseTransitionTime');
    if (!changed && sent === '' && before !== '') status.set('lastPhaseTransitionTime', before);
    if (changed && (sent === '' || sent === before)) status.set('lastPhaseTransitionTime', timestampOf(context.effects.now()));
  },
});
