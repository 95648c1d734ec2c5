import { addInvalid, at, isSet, numberAt, numberOf, type Place } from '../../../apiserver/registry/validation/place.js';
import { checkNonNegative } from '../../../apiserver/registry/validation/rules.js';

/** Validates members that must not be negative. */
export function checkCounts(status: Place, names: readonly string[]): void {
  for (const name of names) checkNonNegative(at(status, name));
}

/** Validates counts: no part may exceed all replicas, and available ones must be ready; the latter have other names in errors. */
export function checkAtMost(status: Place, parts: readonly string[], readyInError: string): void {
  const all = numberAt(status, 'replicas');
  for (const name of parts) {
    const part = at(status, name);
    if (numberOf(part) > all) addInvalid(part, 'cannot be greater than status.replicas', numberOf(part));
  }
  const available = at(status, 'availableReplicas');
  if (numberOf(available) > numberAt(status, 'readyReplicas'))
    addInvalid(available, `cannot be greater than ${readyInError}`, numberOf(available));
}

/** Validates that the collision count only increases. Source: apimachinery api/validation IsDecremented. */
export function checkCollisions(object: Place, old: Place): void {
  const [now, before] = [at(object, 'status', 'collisionCount'), at(old, 'status', 'collisionCount')];
  if (!isSet(before)) return;
  if (!isSet(now) || numberOf(now) < numberOf(before)) addInvalid(now, 'cannot be decremented', numberOf(now));
}
