import { goString } from '../../../go/json/write.js';
import type { Value } from '../../../go/value.js';
import { type FieldError, notSupported } from '../../../kubernetes/field-error.js';

/**
 * Returns the error for a value that is not one of those allowed (sorted); none when it is absent. Values of a named type print as JSON.
 */
export function notOneOf(allowed: readonly string[], word: Value | undefined, field: string): FieldError[] {
  if (typeof word !== 'string' || allowed.includes(word)) return [];
  return [notSupported(field, { rawJson: goString(word) }, allowed)];
}
