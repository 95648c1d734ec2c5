import { pointerSteps } from '../../encoding/json-pointer.js';
import { type Value, valueAt } from '../../go/value.js';
import { readableSelector } from '../reach.js';
import { type AdmittedRequest, admittedRequests, ruleMatches } from '../requests.js';
import type { LintRule, LintSubject } from '../rule.js';
import { type RuleList, ruleLists } from '../rule-lists.js';
import { canMatchUnknown } from '../unknown-resources.js';

/**
 * A namespaceSelector beside rules that match cluster-scoped resources only. Source: apiserver
 * pkg/admission/plugin/webhook/predicates/namespace/matcher.go MatchNamespaceSelector.
 */
export const selectorWithoutEffect: LintRule = {
  id: 'selector-without-effect',
  severity: 'warning',
  reason: 'a namespaceSelector excludes no cluster-scoped object but Namespaces',
  fix: 'remove it, or choose objects with an objectSelector or a match condition',
  check: subject =>
    ruleLists(subject).flatMap(list => {
      const at = list.at.replace(/[^/]*$/, 'namespaceSelector');
      const selector = selectorAt(list, at);
      if (list.excludes || selector === undefined || readableSelector(subject.server, selector).matches !== 'requirements') return [];
      const names = onlyClusterScoped(list, subject);
      if (names.length === 0) return [];
      const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and others` : names.join(', ');
      return [
        { about: list.about, at, message: `its namespaceSelector has no effect: its rules match only cluster-scoped resources (${shown})` },
      ];
    }),
};

function selectorAt({ about }: RuleList, at: string): Value | undefined {
  return 'namespaceSelector' in about ? about.namespaceSelector : valueAt(about.place.object, ...pointerSteps(at));
}

/** Returns the resources that the rules match; none if a namespaced one, Namespaces or one that is not known can be among them. */
function onlyClusterScoped({ rules, inherited, accepts, matchPolicy }: RuleList, { storage }: LintSubject): string[] {
  const isOpen = rules.length === 0 && inherited.length > 0;
  const matched = admittedRequests(storage).filter(
    request => accepts(request) && (isOpen || rules.some(rule => ruleMatches(rule, request, matchPolicy))),
  );
  if (!matched.every(isWithoutNamespace) || (isOpen ? inherited : rules).some(rule => canMatchUnknown(rule, storage))) return [];
  return [...new Set(matched.map(({ resource }) => resource.resource))];
}

function isWithoutNamespace({ namespace, resource }: AdmittedRequest): boolean {
  return namespace === '' && resource.resource !== 'namespaces';
}
