import { countGeneration, equalIn } from '../../../apiserver/registry/common-strategy.js';
import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { Refinement } from '../../../apiserver/registry/strategy.js';
import { csiDriverRules } from './csi-driver-validation.js';

/**
 * Strategy of CSI drivers: the first generation is set by the first change. Source: kubernetes pkg/registry/storage/csidriver/strategy.go.
 */
const csiDriver: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (!equalIn(context.server, context.resource, 'spec', object, old)) countGeneration(object, old);
  },
});

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
