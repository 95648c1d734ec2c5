import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { declaredImmutable, declaredText } from '../../../apiserver/registry/validation/declared-checks.js';
import { addRequired, at, hasSet, type Place } from '../../../apiserver/registry/validation/place.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { checkDisruption, checkGroupMembers, checkWorkloadReference, keptGroupMembers } from '../scheduling-validation.js';

/** PodGroup. Source: kubernetes pkg/registry/scheduling/podgroup. */
export const podGroupKind: KindDefinition = {
  resetsStatus: true,
  keepsMetadataInStatus: true,
  allowsUnconditionalUpdate: false,
  validation: { create: checkPodGroup, update: ['changes', keepPodGroup] },
  gatedFields: [
    { gates: ['TopologyAwareWorkloadScheduling'], paths: ['spec.schedulingConstraints'] },
    { gates: ['DRAWorkloadResourceClaims'], paths: ['spec.resourceClaims'] },
    { gates: ['PodGroupPreemptionPolicy'], paths: ['spec.preemptionPolicy'] },
    { gates: ['CompositePodGroup'], paths: ['spec.parentCompositePodGroupName'] },
  ],
  resetFields: { status: ['spec', 'metadata'] },
};

function checkPodGroup(group: Place): void {
  const spec = at(group, 'spec');
  if (!group.server.since('v1.37')) return;
  if (hasSet(spec, 'parentCompositePodGroupName') && !hasSet(spec, 'workloadRef'))
    addRequired(at(spec, 'workloadRef'), 'must be set when parentCompositePodGroupName is set');
  checkDisruption(spec);
  declaredText(at(spec, 'parentCompositePodGroupName'), dns1123SubdomainProblems, false);
  checkWorkloadReference(at(spec, 'workloadRef'));
  checkGroupMembers(spec, 'minCount');
}

function keepPodGroup(group: Place, old: Place): void {
  if (!group.server.since('v1.37')) return;
  declaredImmutable(at(group, 'spec'), at(old, 'spec'), keptGroupMembers);
  declaredImmutable(at(group, 'spec', 'schedulingPolicy'), at(old, 'spec', 'schedulingPolicy'), ['basic']);
}
