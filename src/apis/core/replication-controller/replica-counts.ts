import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';

/** Validates members that must not be negative. */
export function checkCounts(status: FieldPath, names: readonly string[]): void {
  for (const name of names) checkNonNegative(status.child(name));
}

/** Validates counts: no part may exceed all replicas, and available ones must be ready; the latter have other names in errors. */
export function checkAtMost(status: FieldPath, parts: readonly string[], readyInError: string): void {
  const all = status.number('replicas');
  for (const name of parts) {
    const part = status.child(name);
    if (part.number() > all) part.invalid(part.number(), 'cannot be greater than status.replicas');
  }
  const available = status.child('availableReplicas');
  if (available.number() > status.number('readyReplicas')) available.invalid(available.number(), `cannot be greater than ${readyInError}`);
}

/** Validates that the collision count only increases. Source: apimachinery api/validation IsDecremented. */
export function checkCollisions(object: FieldPath, old: FieldPath): void {
  const [now, before] = [object.child('status', 'collisionCount'), old.child('status', 'collisionCount')];
  if (!before.isSet()) return;
  if (!now.isSet() || now.number() < before.number()) now.invalid(now.number(), 'cannot be decremented');
}
