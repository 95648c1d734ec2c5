import type { AuthorizerQuestion, ResourceParts } from '../../cel/library/authorizer.js';
import type { PolicyRule } from './role.js';

/** Reports whether the rule allows the request. Source: kubernetes rbac.go RuleAllows, pkg/apis/rbac/v1/evaluation_helpers.go. */
export function ruleAllows(rule: PolicyRule, question: AuthorizerQuestion): boolean {
  if (!named(rule.verbs, question.verb)) return false;
  return 'path' in question ? pathAllowed(rule, question.path) : resourceAllowed(rule, question);
}

function named(names: readonly string[], name: string): boolean {
  return names.includes('*') || names.includes(name);
}

/** Reports whether a non-resource URL matches; a trailing `*` matches any suffix. */
function pathAllowed({ nonResourceUrls }: PolicyRule, path: string): boolean {
  return nonResourceUrls.some(url => url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, ''))));
}

function resourceAllowed(rule: PolicyRule, { group, resource, subresource, name }: ResourceParts): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  const fits = (ruled: string) => ruled === '*' || ruled === combined || (subresource !== '' && ruled === `*/${subresource}`);
  if (!named(rule.apiGroups, group) || !rule.resources.some(fits)) return false;
  return rule.resourceNames.length === 0 || rule.resourceNames.includes(name);
}
