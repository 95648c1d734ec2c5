import type { Attributes } from '../../apiserver/admission/attributes.js';
import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import type { SkipReason } from '../../apiserver/admission/webhook-report.js';
import { equivalentsOf } from '../../apiserver/webhooks/equivalent.js';
import { matchesRule } from '../../apiserver/webhooks/rules.js';
import { namespaceDetail, namespaceMatch, objectDetail, objectMatch, ruleDetail } from '../../apiserver/webhooks/select.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import type { NamedRule, PolicyMatchResources } from './policy.js';

/** Request as matched by a policy's rules, or the reason why it does not match. */
export type ResourceMatch =
  | { readonly outcome: 'matches'; readonly matched: MatchedResource }
  | { readonly outcome: 'differs'; readonly reason: SkipReason }
  | { readonly outcome: 'failed'; readonly error: Error };

export interface MatchedResource {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
}

/** Called for each tried rule with its index in `resourceRules`. */
export type PolicyRuleObserver = (index: number, matches: boolean) => void;

/**
 * Matches selectors and rules with the request. Selector errors only count when everything else matches. Source: apiserver
 * admission/plugin/policy/matching/matching.go.
 */
export function matchResources(
  match: PolicyMatchResources,
  attributes: Attributes,
  context: AdmissionContext,
  observe: PolicyRuleObserver = () => undefined,
): ResourceMatch {
  const namespace = namespaceMatch(match, attributes, context);
  if (namespace === 'no') return differs('namespaceSelector', namespaceDetail(attributes, context));
  const object = objectMatch(context.server, match, attributes);
  if (object === 'no') return differs('objectSelector', objectDetail(attributes));
  if (matchRules(match.excludeResourceRules, match, attributes, context) !== undefined)
    return differs('excludeResourceRules', 'a rule of excludeResourceRules matches');
  const { kind, resource } = attributes;
  const matched =
    match.resourceRules.length === 0 ? { kind, resource } : matchRules(match.resourceRules, match, attributes, context, observe);
  if (matched === undefined) return differs('rules', detailOfRules(match, attributes));
  if (namespace !== 'yes') return { outcome: 'failed', error: namespace.error };
  if (object !== 'yes') return { outcome: 'failed', error: object.error };
  return { outcome: 'matches', matched };
}

function differs(predicate: SkipReason['predicate'], detail: string): ResourceMatch {
  return { outcome: 'differs', reason: { predicate, detail } };
}

function detailOfRules({ resourceRules }: PolicyMatchResources, attributes: Attributes): string {
  const { operation, namespace, resource, subresource, name } = attributes;
  const subject = { operation, namespace, resource, subresource };
  const byName = resourceRules.some(rule => rule.resourceNames.length > 0 && matchesRule(rule, subject));
  return byName
    ? `no rule that matches the resource names ${name === '' ? 'an object without a name yet' : name}`
    : ruleDetail(attributes, resourceRules);
}

/** Tries all rules with the request's own resource first, then rule by rule with each equivalent one. */
function matchRules(
  rules: readonly NamedRule[],
  { matchPolicy }: PolicyMatchResources,
  attributes: Attributes,
  context: AdmissionContext,
  observe: PolicyRuleObserver = () => undefined,
): MatchedResource | undefined {
  const { operation, namespace, resource, subresource, kind, name } = attributes;
  const subject = { operation, namespace, resource, subresource };
  const isNamed = (rule: NamedRule): boolean => rule.resourceNames.length === 0 || rule.resourceNames.includes(name);
  const tried = rules.map(() => false);
  const found = (): MatchedResource | undefined => {
    for (const [i, rule] of rules.entries()) {
      tried[i] = matchesRule(rule, subject) && isNamed(rule);
      if (tried[i]) return { kind, resource };
    }
    if (matchPolicy === 'Exact') return undefined;
    for (const [i, rule] of rules.entries()) {
      for (const equivalent of equivalentsOf(attributes, context)) {
        if (!matchesRule(rule, { ...subject, resource: equivalent.resource }) || !isNamed(rule)) continue;
        tried[i] = true;
        return equivalent;
      }
    }
    return undefined;
  };
  const result = found();
  const last = result === undefined ? rules.length - 1 : tried.indexOf(true);
  for (let i = 0; i <= last; i += 1) observe(i, tried[i] === true);
  return result;
}
