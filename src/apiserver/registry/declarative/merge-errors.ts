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
    const text = printFieldError(error);
    if (known.has(text) || covered.has(errorKeyOf(error))) return false;
    known.add(text);
    return true;
  });
  return [...kept, ...declared];
}

/** Hand-written validation is covered where both find an error of one type and origin at one field: upstream marks the rules that are in both. */
function errorKeyOf(error: FieldError): string {
  return `${error.type} ${originOf(error)} ${fieldInHub(error.field)}`;
}

/** Origins of errors that meet others at the same field; upstream names all origins, and its messages of these are the same in both forms. */
const origins: readonly (readonly [origin: string, detail: RegExp])[] = [
  ['immutable', /^field is immutable$/],
  ['minimum', /^must be greater than or equal to (?:-?\d|zero)/],
  ['update', /^field cannot be /],
];

function originOf({ type, detail }: FieldError): string {
  // A rule in both forms supports the same values, hand-written ones in any order; one of fewer values is not marked.
  if (type === 'FieldValueNotSupported')
    return detail
      .replace(/^supported values: /, '')
      .split(', ')
      .sort()
      .join();
  return type === 'FieldValueInvalid' ? (origins.find(([, pattern]) => pattern.test(detail))?.[0] ?? '') : '';
}

/** Where the first versions of resource.k8s.io hold a member, hand-written validation names that of the hub. Source: resource/validation ResourceNormalizationRules. */
function fieldInHub(field: string): string {
  return field
    .replace(
      /^((?:spec\.)?spec\.devices\.requests\[\d+\]\.)(?=(?:deviceClassName|selectors|allocationMode|count|adminAccess|tolerations|derivedAttributes)\b)/,
      '$1exactly.',
    )
    .replace(/^(spec\.devices\[\d+\]\.)basic\./, '$1');
}
