import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import { at, mapOf } from '../../../apiserver/registry/validation/place.js';
import { storageWarnings } from '../pod/validation/pod-warnings.js';
import { checkClaimChange } from './claim-change.js';
import { checkClaimSpec } from './claim-spec.js';
import { claimStatus } from './persistent-volume-claim-status-validation.js';
import { persistentVolumeClaim } from './persistent-volume-claim-strategy.js';

/** Source: core/validation ValidatePersistentVolumeClaim. */
const claimRules: KindRules = {
  create: claim => checkClaimSpec(at(claim, 'spec')),
  update: ['changes', 'metadata', claim => checkClaimSpec(at(claim, 'spec')), checkClaimChange],
  warnings: claimWarnings,
};

function claimWarnings(claim: Place): string[] {
  const annotation = 'volume.beta.kubernetes.io/storage-class';
  return [
    ...(mapOf(at(claim, 'metadata', 'annotations')).has(annotation)
      ? [`metadata.annotations[${annotation}]: deprecated since v1.8; use "storageClassName" attribute instead`]
      : []),
    ...storageWarnings(at(claim, 'spec', 'resources')),
  ];
}

/** PersistentVolumeClaim. */
export const persistentVolumeClaimKind: KindDefinition = {
  refine: persistentVolumeClaim,
  validation: claimRules,
  checkedTwiceUntil: 'v1.34',
  subresources: { status: { update: claimStatus } },
  gatedFields: [{ gates: ['CSIVolumeHealth'], paths: ['status.healthStatus'] }],
  resetsStatus: true,
  deletion: { returnsObject: true },
};
