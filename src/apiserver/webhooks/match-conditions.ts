import { compiledCondition } from '../../cel/compiled-condition.js';
import type { Compilation } from '../../cel/program/compile.js';
import { type Activation, evaluate } from '../../cel/program/evaluate.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { MatchCondition } from './webhook.js';

/** Result of the conditions: call the webhook, do not, or an error. */
export type ConditionsResult =
  | { readonly outcome: 'matches' }
  | { readonly outcome: 'differs'; readonly condition: string; readonly index: number }
  | { readonly outcome: 'failed'; readonly errors: readonly ConditionError[] };

export interface ConditionError {
  /** Position of the condition; undefined when all conditions together cost too much. */
  readonly index: number | undefined;
  /** Evaluation error; undefined when the condition does not compile. */
  readonly error: string | undefined;
  /** The API server's message. */
  readonly message: string;
}

/** Compilation options, and the observer of each condition's result. */
export interface ConditionOptions {
  readonly server: ApiServer;
  readonly compile?: (expression: string) => Compilation;
  readonly observe?: ((name: string, value: boolean) => void) | undefined;
}

/**
 * Evaluates all conditions within one budget. A false one decides, regardless of errors. Source: apiserver
 * webhook/matchconditions/matcher.go, admission/plugin/cel/activation.go.
 */
export function evaluateMatchConditions(
  conditions: readonly MatchCondition[],
  activation: Activation,
  { server, compile = expression => compiledCondition(server, expression), observe }: ConditionOptions,
): ConditionsResult {
  const results: ConditionResult[] = [];
  let budget = matchConditionsBudget;
  for (const condition of conditions) {
    const { cost, ...result } = evaluateOne(condition, activation, compile);
    if (cost > budget) return { outcome: 'failed', errors: [{ index: undefined, error: undefined, message: outOfBudget }] };
    budget -= cost;
    results.push(result);
    if (result.value !== undefined) observe?.(condition.name, result.value);
  }
  const differing = results.findIndex(result => result.value === false);
  if (differing >= 0) return { outcome: 'differs', condition: conditions[differing]?.name ?? '', index: differing };
  const errors = results.flatMap(({ message, error }, index) => (message === undefined ? [] : [{ index, error, message }]));
  return errors.length === 0 ? { outcome: 'matches' } : { outcome: 'failed', errors };
}

/** Max total cost of a webhook's conditions. Source: apiserver pkg/apis/cel RuntimeCELCostBudgetMatchConditions. */
const matchConditionsBudget = 2_500_000;
/** Source: apiserver admission/plugin/cel/activation.go. */
export const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

interface ConditionResult {
  readonly value: boolean | undefined;
  readonly error: string | undefined;
  readonly message: string | undefined;
}

function evaluateOne(
  { expression }: MatchCondition,
  activation: Activation,
  compile: (expression: string) => Compilation,
): ConditionResult & { readonly cost: number } {
  const compilation = compile(expression);
  if (compilation.outcome === 'failed')
    return { value: undefined, error: undefined, message: `compilation error: ${compilation.error.detail}`, cost: 0 };
  const outcome = evaluate(compilation.program, activation);
  const { cost } = outcome;
  if (outcome.outcome === 'error') {
    const message = `expression '${expression}' resulted in error: ${outcome.message}`;
    return { value: undefined, error: outcome.message, message, cost };
  }
  return { value: outcome.value !== false, error: undefined, message: undefined, cost };
}
