import { goString } from '../../../go/json/write.js';
import type { Value } from '../../../go/value.js';
import { type FieldError, notSupported } from '../../../kubernetes/field-error.js';

/**
 * Returns the error of a word that is none of those allowed (sorted); nothing when it is absent. Words of a type of their own print as
 * JSON.
 */
export function notOneOf(allowed: readonly string[], word: Value | undefined, field: string): FieldError[] {
  if (typeof word !== 'string' || allowed.includes(word)) return [];
  return [notSupported(field, { rawJson: goString(word) }, allowed)];
}
