import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { ensureMap, stringAt, toValue } from '../../../go/value.js';
import { timestampOf } from '../../../kubernetes/timestamp.js';
import { checkHasVersion } from '../required-resource-version.js';
import { persistentVolumeRules } from './persistent-volume-validation.js';

/** Source: kubernetes pkg/registry/core/persistentvolume/strategy.go. */
const persistentVolume: Refinement = base => ({
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

/** Source: core/validation ValidatePersistentVolumeStatusUpdate. */
const persistentVolumeStatus: readonly UpdateStep[] = ['changes', checkHasVersion];

/** PersistentVolume. */
export const persistentVolumeKind: KindDefinition = {
  refine: persistentVolume,
  validation: persistentVolumeRules,
  subresources: { status: { update: persistentVolumeStatus } },
  resetsStatus: true,
  deletion: { returnsObject: true },
};
