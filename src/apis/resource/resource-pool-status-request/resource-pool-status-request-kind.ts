import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { resourcePoolStatusRequestRules, resourcePoolStatusRequestStatus } from './resource-pool-status-request-validation.js';

/** ResourcePoolStatusRequest. */
export const resourcePoolStatusRequestKind: KindDefinition = {
  validation: resourcePoolStatusRequestRules,
  subresources: { status: { update: resourcePoolStatusRequestStatus } },
  allowsUnconditionalUpdate: false,
  resetsStatus: true,
  keepsMetadataInStatus: true,
};
