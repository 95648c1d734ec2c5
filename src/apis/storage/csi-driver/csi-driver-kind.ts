import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { csiDriver } from './csi-driver-strategy.js';
import { csiDriverRules } from './csi-driver-validation.js';

/** CSIDriver. */
export const csiDriverKind: KindDefinition = {
  refine: csiDriver,
  validation: csiDriverRules,
  gatedFields: [
    { gates: ['SELinuxMountReadWriteOncePod'], paths: ['spec.seLinuxMount'] },
    { gates: ['MutableCSINodeAllocatableCount'], paths: ['spec.nodeAllocatableUpdatePeriodSeconds'] },
    { gates: ['CSIServiceAccountTokenSecrets'], paths: ['spec.serviceAccountTokenInSecrets'] },
    { gates: ['VolumeLimitScaling'], paths: ['spec.preventPodSchedulingIfMissing'] },
  ],
  allowsUnconditionalUpdate: false,
  deletion: { returnsObject: true },
};
