import type { Rule } from '../apiserver/webhooks/webhook.js';
import type { PolicyMatchResources } from '../plugins/policies/policy.js';
import { type AdmittedRequest, ruleMatches } from './requests.js';
import type { LintSubject, RuleProblem } from './rule.js';

/** List of rules of a webhook, a policy or a binding. */
export interface RuleList extends Pick<RuleProblem, 'about' | 'at'> {
  readonly rules: readonly Rule[];
  readonly matchPolicy: 'Exact' | 'Equivalent';
  /** `webhooks`, `policies`: who is never asked about exempt requests. */
  readonly owner: 'webhooks' | 'validating policies' | 'mutating policies';
  readonly excludes: boolean;
  /** The rules of the policy of a binding, which apply as they are where the binding has none. */
  readonly inherited: readonly Rule[];
  /** Whether the owner is ever asked about such a request. */
  readonly accepts: (request: AdmittedRequest) => boolean;
}

/** Returns the rules of webhooks, policies and bindings. */
export function ruleLists({ webhooks, policies = [], bindings = [] }: LintSubject): RuleList[] {
  const fromWebhooks = webhooks.map(
    (webhook): RuleList => ({
      about: webhook,
      at: '/rules',
      rules: webhook.rules,
      matchPolicy: webhook.matchPolicy,
      owner: 'webhooks',
      excludes: false,
      inherited: [],
      accepts: request => !request.exemptFromWebhooks,
    }),
  );
  const fromPolicies = policies.flatMap(about => {
    const { phase, constraints } = about.policy;
    const owner = phase === 'mutating' ? 'mutating policies' : 'validating policies';
    const accepts = (request: AdmittedRequest): boolean =>
      !request.exemptFromPolicies && !(phase === 'mutating' && request.operation === 'DELETE');
    return [
      ...listsOf(constraints, { about, at: '/spec/matchConstraints', owner, inherited: [], accepts }),
      ...about.bindings.flatMap(({ name, policyName, matchResources }) => {
        const binding = bindings.find(other => other.name === name && other.policyName === policyName);
        if (binding === undefined) return [];
        const acceptsBound = (request: AdmittedRequest): boolean => accepts(request) && resourcesMatch(constraints, request);
        const inherited = constraints?.resourceRules ?? [];
        return listsOf(matchResources, { about: binding, at: '/spec/matchResources', owner, inherited, accepts: acceptsBound });
      }),
    ];
  });
  return [...fromWebhooks, ...fromPolicies];
}

/** Reports whether the rules of a policy or a binding match a request, without resource names. */
export function resourcesMatch(match: PolicyMatchResources | undefined, request: AdmittedRequest): boolean {
  if (match === undefined) return true;
  const { resourceRules, excludeResourceRules, matchPolicy } = match;
  if (excludeResourceRules.some(rule => rule.resourceNames.length === 0 && ruleMatches(rule, request, matchPolicy))) return false;
  return resourceRules.length === 0 || resourceRules.some(rule => ruleMatches(rule, request, matchPolicy));
}

function listsOf(resources: PolicyMatchResources | undefined, list: Omit<RuleList, 'rules' | 'matchPolicy' | 'excludes'>): RuleList[] {
  if (resources === undefined) return [];
  const { matchPolicy } = resources;
  return [
    { ...list, at: `${list.at}/resourceRules`, rules: resources.resourceRules, matchPolicy, excludes: false },
    { ...list, at: `${list.at}/excludeResourceRules`, rules: resources.excludeResourceRules, matchPolicy, excludes: true },
  ];
}
