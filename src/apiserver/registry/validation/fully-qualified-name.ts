import { type FieldError, invalidValue, required } from '../../../kubernetes/field-error.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';

/** Validates a webhook's name: a subdomain of at least three parts. Source: apimachinery util/validation IsFullyQualifiedName. */
export function fullyQualifiedNameErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field, '')];
  const problems = dns1123SubdomainProblems(name);
  if (problems.length > 0) return [invalidValue(field, name, problems.join(','))];
  return name.split('.').length < 3 ? [invalidValue(field, name, 'should be a domain with at least three segments separated by dots')] : [];
}

/** Validates a domain name, which may end with a dot. Source: apimachinery util/validation IsFullyQualifiedDomainName. */
export function domainNameErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field, '')];
  const domain = name.endsWith('.') ? name.slice(0, -1) : name;
  const problems = dns1123SubdomainProblems(domain);
  if (problems.length > 0) return [invalidValue(field, domain, problems.join(','))];
  const labels = domain.split('.');
  if (labels.length < 2) return [invalidValue(field, domain, 'should be a domain with at least two segments separated by dots')];
  const wrong = labels.find(label => dns1123LabelProblems(label).length > 0);
  return wrong === undefined ? [] : [invalidValue(field, wrong, dns1123LabelProblems(wrong).join(','))];
}
