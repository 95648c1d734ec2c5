import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { claimStatusGatedFields, gatedClaimFieldsBelow } from './gated-fields.js';
import { resourceClaimStatus } from './resource-claim-status-validation.js';
import { resourceClaim } from './resource-claim-strategy.js';
import { resourceClaimRules } from './resource-claim-validation.js';

/** ResourceClaim. */
export const resourceClaimKind: KindDefinition = {
  refine: resourceClaim,
  validation: resourceClaimRules,
  subresources: { status: { update: resourceClaimStatus } },
  gatedFields: [...gatedClaimFieldsBelow('spec'), ...claimStatusGatedFields],
  resetsStatus: true,
  keepsMetadataInStatus: true,
  deletion: { returnsObject: true },
};
