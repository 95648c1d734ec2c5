import { isMap, sameValue, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { valuesInside } from '../../../kubernetes/memoize.js';
import type { FieldPath } from './field-path.js';

/** Whose rules a member of a stored object was validated by. */
const validBy = valuesInside<ValueMap, ApiServer>();

/** Remembers that a member of an object, as it was read from the store, was valid when the object was written. */
export function noteValidMember(member: ValueMap, server: ApiServer): void {
  validBy.set(member, server);
}

/**
 * Reports whether a member is that of the stored object, where it is known to be valid: checks that depend on nothing else find no errors in
 * it.
 */
export function isKnownValid(now: FieldPath, before: FieldPath): boolean {
  const { value } = before;
  return isMap(value) && isMap(now.value) && validBy.get(value) === now.server && sameValue(now.value, value);
}
