import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { claimStatus } from './persistent-volume-claim-status-validation.js';
import { persistentVolumeClaim } from './persistent-volume-claim-strategy.js';
import { claimRules } from './persistent-volume-claim-validation.js';

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
