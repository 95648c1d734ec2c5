import type { PolicyReport } from '../../../apiserver/admission/policy-report.js';
import type { Value } from '../../../go/value.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { storageOf } from '../../../kubernetes/storage.js';
import type { AdmissionPolicy, PolicyBinding, PolicyMatchResources } from '../../../plugins/policies/policy.js';
import { policyHooks } from '../../../plugins/policies/policy.js';
import {
  conditionView,
  explainedSelector,
  namespaceText,
  objectText,
  type PredicateView,
  rulesText,
  subjectText,
} from '../../work/calls/explain.js';

/**
 * Returns the predicates of a policy and its binding with the values they got, in the order of evaluation, and the results of its
 * expressions.
 */
export function policyPredicates(entry: PolicyReport, state: ClusterState, body: Value | undefined): PredicateView[] {
  const hook = policyHooks(storageOf(state), entry.phase).find(({ policy }) => policy.name === entry.policy);
  if (hook === undefined) return [];
  const binding = hook.bindings.find(({ name }) => name === entry.binding);
  return [
    ...matchViews(hook.policy.constraints, '', { entry, state, body }),
    ...matchViews(binding?.matchResources, 'binding ', { entry, state, body }),
    ...paramViews(state.server, hook.policy, binding, entry),
    ...hook.policy.matchConditions.map((condition, index) => conditionView(condition, index, entry)),
    ...expressionViews(entry),
  ];
}

interface Seen {
  readonly entry: PolicyReport;
  readonly state: ClusterState;
  readonly body: Value | undefined;
}

function matchViews(match: PolicyMatchResources | undefined, prefix: string, { entry, state, body }: Seen): PredicateView[] {
  if (match === undefined) return [];
  // Bindings are not evaluated for a policy that does not match.
  const isAbout = (prefix === '') === (entry.binding === undefined);
  const decided = (predicate: string): boolean => isAbout && entry.skipReason?.predicate === predicate;
  const view = (predicate: string, wants: string, saw: string): PredicateView => ({
    predicate: `${prefix}${predicate}`,
    wants,
    saw,
    decided: decided(predicate),
  });
  const subject = subjectText(entry, entry.attributes.namespace);
  const rules = { rules: match.resourceRules, matchPolicy: match.matchPolicy };
  return [
    view('namespaceSelector', explainedSelector(state.server, match.namespaceSelector), namespaceText(entry, state, body)),
    view('objectSelector', explainedSelector(state.server, match.objectSelector), objectText(entry, state, body)),
    ...(match.excludeResourceRules.length === 0
      ? []
      : [view('excludeResourceRules', `none of ${rulesText({ ...rules, rules: match.excludeResourceRules })}`, subject)]),
    ...(match.resourceRules.length === 0 ? [] : [view('rules', rulesText(rules), subject)]),
  ];
}

function paramViews(
  server: ApiServer,
  { paramKind }: AdmissionPolicy,
  binding: PolicyBinding | undefined,
  entry: PolicyReport,
): PredicateView[] {
  const reference = binding?.paramRef;
  if (paramKind === undefined || reference === undefined) return [];
  const named = reference.name === '' ? `by ${explainedSelector(server, reference.selector ?? new Map())}` : reference.name;
  const decided = entry.skipReason?.predicate === 'params';
  return [{ predicate: 'params', wants: `${paramKind.kind} ${named}`, saw: entry.param ?? entry.message ?? 'none', decided }];
}

function expressionViews({ validations, mutations }: PolicyReport): PredicateView[] {
  const validated = validations.map(({ index, expression, outcome, message }) => ({
    predicate: `validation ${index + 1}`,
    wants: expression.trim(),
    saw: message === undefined ? outcome : `${outcome}: ${message}`,
    decided: outcome !== 'true',
  }));
  const mutated = mutations.map(({ index, expression, outcome, message }) => ({
    predicate: `mutation ${index + 1}`,
    wants: expression.trim(),
    saw: message === undefined ? outcome : `${outcome}: ${message}`,
    decided: outcome === 'error',
  }));
  return [...validated, ...mutated];
}
