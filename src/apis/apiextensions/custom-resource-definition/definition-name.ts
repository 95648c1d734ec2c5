import { stringAt, type ValueMap } from '../../../go/value.js';
import { dns1123SubdomainProblems } from '../../../kubernetes/name-rules.js';

/**
 * Returns the problems of a definition's name, which consists of its plural and group. Source: apiextensions-apiserver validation.go
 * ValidateCustomResourceDefinition.
 */
export function definitionNameProblems(name: string, definition: ValueMap): string[] {
  const expected = `${stringAt(definition, 'spec', 'names', 'plural')}.${stringAt(definition, 'spec', 'group')}`;
  const problems = dns1123SubdomainProblems(name);
  return name === expected ? problems : [...problems, 'must be spec.names.plural+"."+spec.group'];
}
