import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { csiNodeRules } from './csi-node-validation.js';

/** CSINode. */
export const csiNodeKind: KindDefinition = {
  validation: csiNodeRules,
  checkedTwiceUntil: 'v1.35',
  gatedFields: [{ gates: ['CSIVolumeHealth'], paths: ['status.storageHealth'] }],
  resetsStatus: true,
  keepsMetadataInStatus: true,
  allowsUnconditionalUpdate: false,
  deletion: { returnsObject: true },
};
