import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkMetaConditions } from '../../../apiserver/registry/validation/meta-conditions.js';
import { checkDisruption } from '../scheduling-validation.js';

/** PodGroup. Source: kubernetes pkg/registry/scheduling/podgroup. */
export const podGroupKind: KindDefinition = {
  resetsStatus: true,
  keepsMetadataInStatus: true,
  allowsUnconditionalUpdate: false,
  validation: { create: checkPodGroup, update: ['changes'] },
  subresources: { status: { update: ['changes', checkStatus] } },
  gatedFields: [
    { gates: ['TopologyAwareWorkloadScheduling'], paths: ['spec.schedulingConstraints'] },
    { gates: ['DRAWorkloadResourceClaims'], paths: ['spec.resourceClaims'] },
    { gates: ['PodGroupPreemptionPolicy'], paths: ['spec.preemptionPolicy'] },
    { gates: ['CompositePodGroup'], paths: ['spec.parentCompositePodGroupName'] },
  ],
  resetFields: { status: ['spec', 'metadata'] },
};

function checkPodGroup(group: FieldPath): void {
  const spec = group.child('spec');
  if (!group.server.since('v1.37')) return;
  if (spec.has('parentCompositePodGroupName') && !spec.has('workloadRef'))
    spec.child('workloadRef').required('must be set when parentCompositePodGroupName is set');
  checkDisruption(spec);
}

/** Source: scheduling/validation ValidatePodGroupStatusUpdate. */
function checkStatus(group: FieldPath): void {
  checkMetaConditions(group.child('status', 'conditions'));
  const claims = new Set(group.items('spec', 'resourceClaims').map(claim => claim.text('name')));
  for (const claim of group.items('status', 'resourceClaimStatuses')) {
    const name = claim.child('name');
    if (!claims.has(name.text())) name.invalid(name.text(), 'must match the name of an entry in `spec.resourceClaims`');
  }
}
