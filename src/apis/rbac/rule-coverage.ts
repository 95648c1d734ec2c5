import type { PolicyRule } from '../../apiserver/authorization/role.js';

/**
 * Returns what the owner's rules do not allow: one rule for each verb, resource and name. Source: kubernetes component-helpers
 * auth/rbac/validation/policy_comparator.go Covers.
 */
export function uncoveredRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(singleRules).filter(rule => !owned.some(owner => covers(owner, rule)));
}

const noRule: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceUrls: [] };

function singleRules({ verbs, apiGroups, resources, resourceNames, nonResourceUrls }: PolicyRule): PolicyRule[] {
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map(name => [name]);
  const ofResources = apiGroups.flatMap(group =>
    resources.flatMap(resource =>
      verbs.flatMap(verb =>
        names.map(name => ({ ...noRule, apiGroups: [group], resources: [resource], verbs: [verb], resourceNames: name })),
      ),
    ),
  );
  const ofUrls = nonResourceUrls.flatMap(url => verbs.map(verb => ({ ...noRule, nonResourceUrls: [url], verbs: [verb] })));
  return [...ofResources, ...ofUrls];
}

function covers(owner: PolicyRule, rule: PolicyRule): boolean {
  return (
    includesAll(owner.verbs, rule.verbs) &&
    includesAll(owner.apiGroups, rule.apiGroups) &&
    rule.resources.every(resource => coversResource(owner.resources, resource)) &&
    rule.nonResourceUrls.every(url => owner.nonResourceUrls.some(own => coversUrl(own, url))) &&
    (owner.resourceNames.length === 0 || (rule.resourceNames.length > 0 && hasAll(owner.resourceNames, rule.resourceNames)))
  );
}

function includesAll(owned: readonly string[], wanted: readonly string[]): boolean {
  return owned.includes('*') || hasAll(owned, wanted);
}

function hasAll(owned: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every(one => owned.includes(one));
}

/** A subresource is also covered by that subresource of all resources. */
function coversResource(owned: readonly string[], resource: string): boolean {
  if (owned.includes('*') || owned.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && owned.includes(`*${resource.slice(slash)}`);
}

function coversUrl(owned: string, url: string): boolean {
  return owned === url || (owned.endsWith('*') && url.startsWith(owned.replace(/\*+$/, '')));
}

/**
 * Joins the rules that differ only in their verb. Source: kubernetes pkg/registry/rbac/validation/policy_compact.go CompactRules.
 */
export function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const joined = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { apiGroups, resources, resourceNames, nonResourceUrls } = rule;
    const key = JSON.stringify(nonResourceUrls.length > 0 ? rule : { apiGroups, resources, resourceNames });
    const known = joined.get(key);
    const isSame = known === undefined || nonResourceUrls.length > 0;
    joined.set(key, isSame ? rule : { ...known, verbs: [...known.verbs, ...rule.verbs] });
  }
  return [...joined.values()];
}
