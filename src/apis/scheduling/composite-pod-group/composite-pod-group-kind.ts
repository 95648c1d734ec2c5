import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { declared } from '../../../apiserver/registry/validation/declared.js';
import { declaredImmutable, declaredText } from '../../../apiserver/registry/validation/declared-checks.js';
import { addRequired, at, isSet, type Place } from '../../../apiserver/registry/validation/place.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';
import { checkDisruption, checkGroupMembers, checkWorkloadReference, keptGroupMembers } from '../scheduling-validation.js';

/** CompositePodGroup. Source: kubernetes pkg/registry/scheduling/compositepodgroup. */
export const compositePodGroupKind: KindDefinition = {
  resetsStatus: true,
  keepsMetadataInStatus: true,
  allowsUnconditionalUpdate: false,
  validation: { create: checkGroup, update: ['changes', keepGroup] },
  gatedFields: [{ gates: ['PodGroupPreemptionPolicy'], paths: ['spec.preemptionPolicy'] }],
};

function checkGroup(group: Place): void {
  const spec = at(group, 'spec');
  const reference = at(spec, 'workloadRef');
  checkDisruption(spec);
  declaredText(at(spec, 'parentCompositePodGroupName'), dns1123SubdomainProblems, false);
  if (!isSet(reference)) declared(reference, undefined, () => addRequired(reference));
  checkWorkloadReference(reference);
  checkGroupMembers(spec, 'minGroupCount');
}

function keepGroup(group: Place, old: Place): void {
  declaredImmutable(at(group, 'spec'), at(old, 'spec'), [...keptGroupMembers, 'schedulingPolicy']);
}
