import type { ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { valuesInside } from '../../kubernetes/memoize.js';

/** Whose object a stored one is. */
const writtenBy = valuesInside<ValueMap, ApiServer>();

/** Remembers that a stored object was validated, and that reading it with the defaults of its version gives back what was written. */
export function noteAsWritten(stored: ValueMap, server: ApiServer): void {
  writtenBy.set(stored, server);
}

/** Reports whether a stored object is known to be valid, and not changed by the defaults of its version. */
export function isAsWritten(stored: ValueMap, server: ApiServer): boolean {
  return writtenBy.get(stored) === server;
}
