import type { GroupVersionResource } from '../../kubernetes/group-version.js';
import type { Rule } from './webhook.js';

/** Resource that a rule is matched against: the request's own, or an equivalent one. */
export interface RuleSubject {
  readonly operation: string;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
}

/** Reports whether the rule matches in scope, operation, group, version and resource. Source: apiserver predicates/rules/rules.go. */
export function matchesRule(rule: Rule, subject: RuleSubject): boolean {
  return (
    matchesScope(rule.scope, subject) &&
    matchesOne(rule.operations, subject.operation) &&
    matchesOne(rule.apiGroups, subject.resource.group) &&
    matchesOne(rule.apiVersions, subject.resource.version) &&
    rule.resources.some(entry => matchesResource(entry, subject))
  );
}

/** Returns a rule's own values: `CREATE|UPDATE pods|pods/status of core v1`. */
export function valuesOfRule({ operations, apiGroups, apiVersions, resources, scope }: Rule): string {
  const groups = apiGroups.map(group => (group === '' ? 'core' : group));
  const scoped = scope === '*' ? '' : ` (${scope})`;
  return `${operations.join('|')} ${resources.join('|')} of ${groups.join('|')} ${apiVersions.join('|')}${scoped}`;
}

/** Returns the rule that differs from a request in the fewest fields, the first of several; undefined without rules. */
export function nearestRule(rules: readonly Rule[], subject: RuleSubject): Rule | undefined {
  let nearest: { readonly rule: Rule; readonly equal: number } | undefined;
  for (const rule of rules) {
    const { operation, resource } = subject;
    const fields = [
      ...[matchesScope(rule.scope, subject), matchesOne(rule.operations, operation), matchesOne(rule.apiGroups, resource.group)],
      ...[matchesOne(rule.apiVersions, resource.version), rule.resources.some(entry => matchesResource(entry, subject))],
    ];
    const equal = fields.filter(isEqual => isEqual).length;
    if (nearest === undefined || equal > nearest.equal) nearest = { rule, equal };
  }
  return nearest?.rule;
}

/** Reports whether a list of a rule contains the value, or `*`. */
export function matchesOne(allowed: readonly string[], value: string): boolean {
  return allowed.includes('*') || allowed.includes(value);
}

/** Reports whether the scope matches; a Namespace counts as cluster-scoped although its requests have a namespace. */
function matchesScope(scope: string, { resource, namespace }: RuleSubject): boolean {
  if (scope === '*') return true;
  const isNamespaces = resource.group === '' && resource.version === 'v1' && resource.resource === 'namespaces';
  const isClusterScoped = isNamespaces || namespace === '';
  if (scope === 'Namespaced') return !isClusterScoped;
  return scope === 'Cluster' && isClusterScoped;
}

/**
 * Reports whether a rule's entry matches: `pods/*` matches pods and all its subresources, `*` any resource without subresource, and `*`
 * with `/*` everything.
 */
export function matchesResource(entry: string, { resource, subresource }: Pick<RuleSubject, 'resource' | 'subresource'>): boolean {
  const slash = entry.indexOf('/');
  const name = slash < 0 ? entry : entry.slice(0, slash);
  const sub = slash < 0 ? '' : entry.slice(slash + 1);
  return (name === '*' || name === resource.resource) && (sub === '*' || sub === subresource);
}
