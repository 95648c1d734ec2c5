import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { at, mapOf, type Place } from '../../../apiserver/registry/validation/place.js';
import { storageWarnings } from '../pod/validation/pod-warnings.js';
import { checkClaimChange } from './claim-change.js';
import { checkClaimSpec } from './claim-spec.js';

/** Source: core/validation ValidatePersistentVolumeClaim. */
export const claimRules: KindRules = {
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
