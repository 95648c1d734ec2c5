import { servedBy } from '../../../apiserver/call/served-resources.js';
import { admittedOperations } from '../../../apiserver/webhooks/admitted-operations.js';
import { equivalentsOf } from '../../../apiserver/webhooks/equivalent.js';
import { matchesRule, type RuleSubject } from '../../../apiserver/webhooks/rules.js';
import { type Webhook, webhooksOf } from '../../../apiserver/webhooks/webhook.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import { storageOf } from '../../../kubernetes/storage.js';
import { type PolicyHook, type PolicyMatchResources, policyHooks } from '../../../plugins/policies/policy.js';

/** One operation on a resource, and the webhooks whose rules match it. */
export interface MatchCoverageRow {
  readonly operation: string;
  /** `pods` or `pods/status`. */
  readonly resource: string;
  readonly mutating: readonly string[];
  readonly validating: readonly string[];
  /** Policies with a binding; undefined in a state without any. */
  readonly policies?: readonly string[];
}

/**
 * Returns every operation on a resource and its subresources that reaches admission, with the webhooks whose rules match. Ignores
 * selectors.
 */
export function coverageOf(resource: Resource, namespace: string, state: ClusterState): MatchCoverageRow[] {
  const storage = storageOf(state);
  const { resources } = servedBy(state);
  const webhooks = { mutating: webhooksOf(storage, 'mutating'), validating: webhooksOf(storage, 'validating') };
  const hooks = [...policyHooks(storage, 'mutating'), ...policyHooks(storage, 'validating')];
  const { group, version } = resource;
  const at = { group, version, resource: resource.resource };
  return admittedOperations(resource).map(({ operation, subresource }) => {
    const subject = { operation, resource: at, subresource, namespace: resource.namespaced ? namespace : '' };
    const matches = (webhook: Webhook): boolean => {
      const others = webhook.matchPolicy === 'Equivalent' ? equivalentsOf(subject, { resources, storage }) : [];
      const subjects = [subject, ...others.map(other => ({ ...subject, resource: other.resource }))];
      return webhook.rules.some(rule => subjects.some(one => matchesRule(rule, one)));
    };
    const namesOf = (all: readonly Webhook[]): string[] => all.filter(matches).map(webhook => webhook.name);
    const name = subresource === '' ? at.resource : `${at.resource}/${subresource}`;
    const row = { operation, resource: name, mutating: namesOf(webhooks.mutating), validating: namesOf(webhooks.validating) };
    if (hooks.length === 0) return row;
    return {
      ...row,
      policies: hooks.filter(hook => coversByPolicy(hook, subject, { resources, storage })).map(({ policy }) => policy.name),
    };
  });
}

/** Reports whether the rules of a policy, and of one of its bindings, match. Mutating policies never run on DELETE. */
function coversByPolicy({ policy, bindings }: PolicyHook, subject: RuleSubject, place: Parameters<typeof equivalentsOf>[1]): boolean {
  if (policy.phase === 'mutating' && subject.operation === 'DELETE') return false;
  const matches = (match: PolicyMatchResources | undefined): boolean => {
    if (match === undefined) return true;
    const others = match.matchPolicy === 'Equivalent' ? equivalentsOf(subject, place) : [];
    const subjects = [subject, ...others.map(other => ({ ...subject, resource: other.resource }))];
    const anyRule = (rules: PolicyMatchResources['resourceRules']): boolean =>
      rules.some(rule => subjects.some(one => matchesRule(rule, one)));
    const excluding = match.excludeResourceRules.filter(rule => rule.resourceNames.length === 0);
    return !anyRule(excluding) && (match.resourceRules.length === 0 || anyRule(match.resourceRules));
  };
  return matches(policy.constraints) && bindings.some(binding => matches(binding.matchResources));
}
