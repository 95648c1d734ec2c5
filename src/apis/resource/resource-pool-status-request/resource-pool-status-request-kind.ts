import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { checkImmutable } from '../../../apiserver/registry/validation/immutable.js';
import type { UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkMetaConditions } from '../../../apiserver/registry/validation/meta-conditions.js';

/** Validation of the status, which is immutable. Source: resource/validation ValidateResourcePoolStatusRequestStatusUpdate. */
const resourcePoolStatusRequestStatus: readonly UpdateStep[] = [
  (request, old) => {
    if (old.has('status')) checkImmutable(request, old, { type: 'resource/v1alpha3.ResourcePoolStatusRequest', name: 'status' });
    else checkMetaConditions(request.child('status', 'conditions'));
  },
];

/** ResourcePoolStatusRequest. */
export const resourcePoolStatusRequestKind: KindDefinition = {
  hasNoStatusTables: true,
  validation: { create: () => undefined, update: ['changes'] },
  subresources: { status: { update: resourcePoolStatusRequestStatus } },
  gatedFields: [{ gates: ['DRAPartitionableDevicesType'], paths: ['spec.defaultPartitionTypeAttribute'] }],
  allowsUnconditionalUpdate: false,
  resetsStatus: true,
  keepsMetadataInStatus: true,
  deletion: { returnsObject: true },
  resetFields: { status: ['spec', 'metadata'] },
};
