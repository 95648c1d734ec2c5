import { addRequired, type Place, textAt } from '../../apiserver/registry/validation/place.js';

/** Requires a resourceVersion, because the storage needs to know which version a status replaces. */
export function checkHasVersion(object: Place): void {
  if (textAt(object, 'metadata', 'resourceVersion') === '') addRequired({ ...object, path: 'resourceVersion' });
}
