import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';

/** Validates who takes part in evictions of a pod; the rest is declared. Source: core/validation ValidatePodSpec. */
export function checkEvictionResponders(spec: FieldPath): void {
  const group = spec.child('schedulingGroup');
  if (spec.child('evictionResponders').length() > 0 && group.isSet()) group.forbidden('may not be set when evictionResponders is set');
}
