import {
  declaredEnum,
  declaredItems,
  declaredMaximum,
  declaredMinimum,
  declaredText,
  declaredUnion,
} from '../../apiserver/registry/validation/declared-checks.js';
import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems } from '../../kubernetes/name-rules.js';

/**
 * Validates what groups and templates of groups share, those of pods and those of groups. Source: the tags of api scheduling/v1alpha3 and
 * v1beta1.
 */
export function checkGroupMembers(group: FieldPath, count: 'minCount' | 'minGroupCount'): void {
  const policy = group.child('schedulingPolicy');
  declaredUnion(policy, ['basic', 'gang']);
  if (policy.has('gang')) declaredMinimum(policy.child('gang', count), 1n);
  for (const topology of declaredItems(group.child('schedulingConstraints', 'topology'), 1))
    declaredText(topology.child('key'), text => labelKeyProblems(group.server, text), true);
  if (count === 'minCount') checkClaims(group.child('resourceClaims'));
  const mode = group.child('disruptionMode');
  if (mode.isSet()) declaredUnion(mode, ['single', 'all']);
  declaredText(group.child('priorityClassName'), dns1123SubdomainProblems, false);
  declaredMaximum(group.child('priority'), 1_000_000_000n);
  declaredEnum(group.child('preemptionPolicy'), ['Never', 'PreemptLowerPriority'], false);
}

/** Since v1.38 only a gang is disrupted as a whole. Source: scheduling/validation ValidatePodGroup, ValidateCompositePodGroup. */
export function checkDisruption(group: FieldPath): void {
  if (!group.server.since('v1.38') || isGang(group) || !isDisruptedAsWhole(group)) return;
  group.child('disruptionMode').invalidWithoutValue('cannot have "all" disruption mode when scheduling policy is other than "gang"');
}

export function isGang(group: FieldPath): boolean {
  return group.child('schedulingPolicy').has('gang');
}

export function isDisruptedAsWhole(group: FieldPath): boolean {
  return group.child('disruptionMode').has('all');
}

function checkClaims(claims: FieldPath): void {
  for (const claim of declaredItems(claims, 4, { key: 'name', struct: 'scheduling/v1beta1.PodGroupResourceClaim' })) {
    declaredUnion(claim, ['resourceClaimName', 'resourceClaimTemplateName']);
    declaredText(claim.child('name'), dns1123LabelProblems, true);
    for (const name of ['resourceClaimName', 'resourceClaimTemplateName']) declaredText(claim.child(name), dns1123SubdomainProblems, false);
  }
}

/** Validates the reference of a group to the template of its workload. */
export function checkWorkloadReference(reference: FieldPath): void {
  if (!reference.isSet()) return;
  declaredText(reference.child('workloadName'), dns1123SubdomainProblems, true);
  declaredText(reference.child('templateName'), dns1123LabelProblems, true);
}

/** Members of a group that an update may not change, besides the policy. */
export const keptGroupMembers = [
  'parentCompositePodGroupName',
  'workloadRef',
  'schedulingConstraints',
  'resourceClaims',
  'disruptionMode',
  'priorityClassName',
  'priority',
  'preemptionPolicy',
];
