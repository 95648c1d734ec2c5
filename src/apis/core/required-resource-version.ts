import type { FieldPath } from '../../apiserver/registry/validation/field-path.js';

/** Requires a resourceVersion, because the storage needs to know which version a status replaces. */
export function checkHasVersion(object: FieldPath): void {
  if (object.text('metadata', 'resourceVersion') === '') object.shownAt('resourceVersion').required();
}
