import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { checkMetaConditions } from '../../../apiserver/registry/validation/meta-conditions.js';
import { checkDisruption } from '../scheduling-validation.js';

/** CompositePodGroup. Source: kubernetes pkg/registry/scheduling/compositepodgroup. */
export const compositePodGroupKind: KindDefinition = {
  resetsStatus: true,
  keepsMetadataInStatus: true,
  allowsUnconditionalUpdate: false,
  validation: { create: group => checkDisruption(group.child('spec')), update: ['changes'] },
  subresources: { status: { update: ['changes', group => checkMetaConditions(group.child('status', 'conditions'))] } },
  gatedFields: [{ gates: ['PodGroupPreemptionPolicy'], paths: ['spec.preemptionPolicy'] }],
};
