import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';

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
