import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { declared } from '../../../apiserver/registry/validation/declared.js';
import { declaredImmutable, declaredText } from '../../../apiserver/registry/validation/declared-checks.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
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

function checkGroup(group: FieldPath): void {
  const spec = group.child('spec');
  const reference = spec.child('workloadRef');
  checkDisruption(spec);
  declaredText(spec.child('parentCompositePodGroupName'), dns1123SubdomainProblems, false);
  if (!reference.isSet()) declared(reference, undefined, () => reference.required());
  checkWorkloadReference(reference);
  checkGroupMembers(spec, 'minGroupCount');
}

function keepGroup(group: FieldPath, old: FieldPath): void {
  declaredImmutable(group.child('spec'), old.child('spec'), [...keptGroupMembers, 'schedulingPolicy']);
}
