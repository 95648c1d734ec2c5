import { compiledCondition } from '../../cel/compiled-condition.js';
import { type Activation, evaluate } from '../../cel/evaluate.js';
import type { MatchCondition } from './webhook.js';

/** What the conditions say: call the webhook, do not, or what went wrong. */
export type Verdict =
  | { readonly outcome: 'matches' }
  | { readonly outcome: 'differs'; readonly condition: string }
  | { readonly outcome: 'failed'; readonly errors: readonly string[] };

/**
 * Evaluates all conditions within one budget. One that is false decides, whatever errors there are.
 * Source: apiserver webhook/matchconditions/matcher.go, admission/plugin/cel/activation.go.
 */
export function evaluateMatchConditions(conditions: readonly MatchCondition[], activation: Activation): Verdict {
  const results: ConditionResult[] = [];
  let budget = matchConditionsBudget;
  for (const condition of conditions) {
    const { cost, ...result } = evaluateOne(condition, activation);
    if (cost > budget) return { outcome: 'failed', errors: [outOfBudget] };
    budget -= cost;
    results.push(result);
  }
  const differing = results.findIndex(result => result.value === false);
  if (differing >= 0) return { outcome: 'differs', condition: conditions[differing]?.name ?? '' };
  const errors = results.flatMap(({ error }) => (error === undefined ? [] : [error]));
  return errors.length === 0 ? { outcome: 'matches' } : { outcome: 'failed', errors };
}

/** What all conditions of a webhook may cost together. Source: apiserver pkg/apis/cel RuntimeCELCostBudgetMatchConditions. */
const matchConditionsBudget = 2_500_000;
const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

interface ConditionResult {
  readonly value: boolean | undefined;
  readonly error: string | undefined;
}

function evaluateOne({ expression }: MatchCondition, activation: Activation): ConditionResult & { readonly cost: number } {
  const compilation = compiledCondition(expression, 'stored');
  if (compilation.outcome === 'failed') return { value: undefined, error: `compilation error: ${compilation.error.detail}`, cost: 0 };
  const outcome = evaluate(compilation.program, activation);
  const { cost } = outcome;
  if (outcome.outcome === 'error')
    return { value: undefined, error: `expression '${expression}' resulted in error: ${outcome.message}`, cost };
  return { value: outcome.value !== false, error: undefined, cost };
}
