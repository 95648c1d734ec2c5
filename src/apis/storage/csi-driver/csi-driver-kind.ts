import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { csiDriver } from './csi-driver-strategy.js';
import { csiDriverRules } from './csi-driver-validation.js';

/** CSIDriver. */
export const csiDriverKind: KindDefinition = {
  refine: csiDriver,
  validation: csiDriverRules,
  disabledFields: [['spec.preventPodSchedulingIfMissing']],
  allowsUnconditionalUpdate: false,
};
