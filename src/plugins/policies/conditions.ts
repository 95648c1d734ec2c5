import type { AdmissionContext } from '../../apiserver/admission/chain.js';
import { aggregate } from '../../apiserver/admission/name-in-refusal.js';
import { evaluateMatchConditions } from '../../apiserver/webhooks/match-conditions.js';
import type { CompiledPolicy } from './compiled.js';
import { ownerOfPolicy } from './observed.js';
import type { AdmissionPolicy } from './policy.js';
import { type ExpressionInput, expressionVariables } from './variables.js';

/** Result of a policy's match conditions. An error only counts under failure policy Fail. */
export type PolicyConditionsResult =
  | { readonly outcome: 'matches' }
  | { readonly outcome: 'differs'; readonly detail: string }
  | { readonly outcome: 'failed'; readonly message: string };

/**
 * Evaluates the match conditions of a policy: they have no namespace and variables, and a separate budget. Source: apiserver
 * webhook/matchconditions/matcher.go.
 */
export function policyConditions(
  policy: AdmissionPolicy,
  compiled: CompiledPolicy,
  input: ExpressionInput,
  context: AdmissionContext,
): PolicyConditionsResult {
  if (policy.matchConditions.length === 0) return { outcome: 'matches' };
  const matched = { kind: input.matched.kind, resource: input.attributes.resource };
  const activation = expressionVariables({ ...input, matched, namespace: null }, context);
  const compile = (expression: string) => {
    const compilation = compiled.conditions.get(expression);
    if (compilation === undefined) throw new Error('a condition of another policy');
    return compilation;
  };
  const { observer } = context.effects;
  const result = evaluateMatchConditions(policy.matchConditions, activation, {
    server: context.server,
    compile,
    observe: observer && ((name, value) => observer.reach({ owner: ownerOfPolicy(policy), part: `condition ${name}` }, value)),
  });
  if (result.outcome === 'matches') return result;
  if (result.outcome === 'differs') return { outcome: 'differs', detail: `condition ${result.condition} is false` };
  const message = aggregate(result.errors.map(({ message }) => message));
  return policy.failurePolicy === 'Fail' ? { outcome: 'failed', message } : { outcome: 'differs', detail: message };
}
