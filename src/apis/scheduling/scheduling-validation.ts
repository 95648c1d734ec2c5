import {
  declaredEnum,
  declaredItems,
  declaredMaximum,
  declaredMinimum,
  declaredText,
  declaredUnion,
} from '../../apiserver/registry/validation/declared-checks.js';
import { addInvalidWithoutValue, at, hasSet, isSet, type Place } from '../../apiserver/registry/validation/place.js';
import { dns1123LabelProblems, dns1123SubdomainProblems, labelKeyProblems } from '../../kubernetes/name-rules.js';

/**
 * Validates what groups and templates of groups share, those of pods and those of groups. Source: the tags of api scheduling/v1alpha3 and
 * v1beta1.
 */
export function checkGroupMembers(group: Place, count: 'minCount' | 'minGroupCount'): void {
  const policy = at(group, 'schedulingPolicy');
  declaredUnion(policy, ['basic', 'gang']);
  if (hasSet(policy, 'gang')) declaredMinimum(at(policy, 'gang', count), 1n);
  for (const topology of declaredItems(at(group, 'schedulingConstraints', 'topology'), 1))
    declaredText(at(topology, 'key'), text => labelKeyProblems(group.server, text), true);
  if (count === 'minCount') checkClaims(at(group, 'resourceClaims'));
  const mode = at(group, 'disruptionMode');
  if (isSet(mode)) declaredUnion(mode, ['single', 'all']);
  declaredText(at(group, 'priorityClassName'), dns1123SubdomainProblems, false);
  declaredMaximum(at(group, 'priority'), 1_000_000_000n);
  declaredEnum(at(group, 'preemptionPolicy'), ['Never', 'PreemptLowerPriority'], false);
}

/** Since v1.38 only a gang is disrupted as a whole. Source: scheduling/validation ValidatePodGroup, ValidateCompositePodGroup. */
export function checkDisruption(group: Place): void {
  if (!group.server.since('v1.38') || isGang(group) || !isDisruptedAsWhole(group)) return;
  addInvalidWithoutValue(at(group, 'disruptionMode'), 'cannot have "all" disruption mode when scheduling policy is other than "gang"');
}

export function isGang(group: Place): boolean {
  return hasSet(at(group, 'schedulingPolicy'), 'gang');
}

export function isDisruptedAsWhole(group: Place): boolean {
  return hasSet(at(group, 'disruptionMode'), 'all');
}

function checkClaims(claims: Place): void {
  for (const claim of declaredItems(claims, 4, { key: 'name', struct: 'scheduling/v1beta1.PodGroupResourceClaim' })) {
    declaredUnion(claim, ['resourceClaimName', 'resourceClaimTemplateName']);
    declaredText(at(claim, 'name'), dns1123LabelProblems, true);
    for (const name of ['resourceClaimName', 'resourceClaimTemplateName']) declaredText(at(claim, name), dns1123SubdomainProblems, false);
  }
}

/** Validates the reference of a group to the template of its workload. */
export function checkWorkloadReference(reference: Place): void {
  if (!isSet(reference)) return;
  declaredText(at(reference, 'workloadName'), dns1123SubdomainProblems, true);
  declaredText(at(reference, 'templateName'), dns1123LabelProblems, true);
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
