import type { FieldError } from '../../../kubernetes/field-error.js';

/** What is wrong with an expression of a match condition. */
export function expressionErrors(_expression: string, _field: string): FieldError[] {
  return [];
}
