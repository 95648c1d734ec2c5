import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { volumeAttachmentRules } from './volume-attachment-validation.js';

/** VolumeAttachment. */
export const volumeAttachmentKind: KindDefinition = {
  validation: volumeAttachmentRules,
  checkedTwiceUntil: 'v1.34',
  subresources: { status: 'object' },
  gatedFields: ['attachError', 'detachError'].map(error => ({
    gates: ['MutableCSINodeAllocatableCount'],
    paths: [`status.${error}.errorCode`],
  })),
  allowsUnconditionalUpdate: false,
  resetsStatus: true,
  keepsMetadataInStatus: true,
  deletion: { returnsObject: true },
};
