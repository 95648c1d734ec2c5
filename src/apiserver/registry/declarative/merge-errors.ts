import { type FieldError, printFieldError } from '../../../kubernetes/field-error.js';

/**
 * Returns the errors of hand-written validation, equal ones once and without those that declarative validation finds as well, and then
 * those of declarative validation. Source: apiserver registry/rest/validate.go ValidateDeclarativelyWithMigrationChecks, apimachinery
 * api/validate/errors.go FilterCoveredHandwrittenErrors.
 */
export function withDeclared(byHand: readonly FieldError[], declared: readonly FieldError[]): FieldError[] {
  const covered = new Set(declared.map(errorKeyOf));
  const known = new Set<string>();
  const kept = byHand.filter(error => {
    if (error.declared === true) return false;
    const text = printFieldError(error);
    if (known.has(text) || covered.has(errorKeyOf(error))) return false;
    known.add(text);
    return true;
  });
  return [...kept, ...declared];
}

/**
 * Hand-written validation is covered where both find an error of one type and origin at one field: upstream marks the rules that are in both. Of the
 * origins, only that of an unchangeable field meets another at the same field.
 */
function errorKeyOf({ type, field, detail }: FieldError): string {
  return `${type} ${detail === 'field is immutable' ? 'immutable ' : ''}${field}`;
}
