import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkWorkload } from './workload-validation.js';

/** Workload. Source: kubernetes pkg/registry/scheduling/workload. */
export const workloadKind: KindDefinition = {
  allowsUnconditionalUpdate: false,
  validation: { create: checkGroups, update: ['changes', checkGroups] },
  gatedFields: [
    { gates: ['TopologyAwareWorkloadScheduling'], paths: ['spec.podGroupTemplates.*.schedulingConstraints'] },
    { gates: ['DRAWorkloadResourceClaims'], paths: ['spec.podGroupTemplates.*.resourceClaims'] },
    { gates: ['PodGroupPreemptionPolicy'], paths: ['spec.podGroupTemplates.*.preemptionPolicy'] },
    { gates: ['CompositePodGroup'], paths: ['spec.compositePodGroupTemplates'] },
  ],
};

/** Source: scheduling/validation; the later versions have templates in place of groups. */
function checkGroups(workload: FieldPath, old?: FieldPath): void {
  if (workload.server.since('v1.37')) {
    checkWorkload(workload, old);
    return;
  }
  const groups = workload.child('spec', 'podGroups');
  if (workload.server.until('v1.35') && groups.length() === 0) groups.required('must have at least one item');
}
