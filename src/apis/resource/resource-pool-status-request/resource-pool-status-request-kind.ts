import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { resourcePoolStatusRequestRules, resourcePoolStatusRequestStatus } from './resource-pool-status-request-validation.js';

/** ResourcePoolStatusRequest. */
export const resourcePoolStatusRequestKind: KindDefinition = {
  validation: resourcePoolStatusRequestRules,
  subresources: { status: { update: resourcePoolStatusRequestStatus } },
  gatedFields: [{ gates: ['DRAPartitionableDevicesType'], paths: ['spec.defaultPartitionTypeAttribute'] }],
  allowsUnconditionalUpdate: false,
  resetsStatus: true,
  keepsMetadataInStatus: true,
  deletion: { returnsObject: true },
};
