import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { csiStorageCapacityRules } from './csi-storage-capacity-validation.js';

/** CSIStorageCapacity. */
export const csiStorageCapacityKind: KindDefinition = { validation: csiStorageCapacityRules, allowsUnconditionalUpdate: false };
