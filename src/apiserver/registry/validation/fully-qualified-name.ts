import { type FieldError, invalidValue, required } from '../../../kubernetes/field-error.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';

/** Validates a webhook's name: a subdomain of at least three parts. Source: apimachinery util/validation IsFullyQualifiedName. */
export function fullyQualifiedNameErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field, '')];
  const problems = dns1123SubdomainProblems(name);
  if (problems.length > 0) return [invalidValue(field, name, problems.join(','))];
  return name.split('.').length < 3 ? [invalidValue(field, name, 'should be a domain with at least three segments separated by dots')] : [];
}
