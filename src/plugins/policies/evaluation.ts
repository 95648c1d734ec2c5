import { outOfBudget } from '../../apiserver/webhooks/match-conditions.js';
import type { Compilation } from '../../cel/program/compile.js';
import { type Activation, evaluate } from '../../cel/program/evaluate.js';
import { LazyMembers } from '../../cel/values/lazy-members.js';
import { type CelValue, celError } from '../../cel/values/value.js';
import { AbortedConnection } from '../../kubernetes/status.js';

/** Budget of one list of expressions. Source: apiserver pkg/apis/cel RuntimeCELCostBudget. */
export const costBudget = 10_000_000;

/** Value of an expression, or the API server's error message. */
export type Evaluated = { readonly value: CelValue } | { readonly error: string };

/** Thrown when a list of expressions exceeds its budget: none of its results count. */
export class OutOfBudget extends Error {
  override readonly name = 'OutOfBudget';

  constructor() {
    super(outOfBudget);
  }
}

/** List of expressions that share variables and a budget. */
export interface PolicyRun {
  /** Evaluates an expression. Throws OutOfBudget. */
  readonly evaluate: (expression: string, compilation: Compilation) => Evaluated;
  readonly remaining: () => number;
}

/**
 * Starts evaluating a list of expressions; variables are evaluated lazily, once. Source: apiserver admission/plugin/cel/activation.go,
 * composition.go.
 */
export function newPolicyRun(activation: Activation, variables: ReadonlyMap<string, Compilation>, budget: number): PolicyRun {
  let remaining = budget;
  const composed = composedActivation(activation, variables);
  const spend = (cost: number): void => {
    if (cost > remaining) throw new OutOfBudget();
    remaining -= cost;
  };
  return {
    evaluate: (expression, compilation) => {
      if (compilation.outcome === 'failed') return { error: `compilation error: ${compilation.error.detail}` };
      const outcome = evaluate(compilation.program, composed.activation);
      spend(composed.takeCost());
      spend(outcome.cost);
      if (outcome.outcome === 'value') return { value: outcome.value };
      return { error: `expression '${expression}' resulted in error: ${outcome.message}` };
    },
    remaining: () => remaining,
  };
}

interface Composed {
  readonly activation: Activation;
  /** Returns the cost of variables since the last call. */
  readonly takeCost: () => number;
}

function composedActivation(activation: Activation, variables: ReadonlyMap<string, Compilation>): Composed {
  let cost = 0;
  const values = new Map<string, CelValue | 'running'>();
  const variableValue = (name: string, compilation: Compilation): CelValue => {
    const known = values.get(name);
    // Only a second variable of the same name can refer to itself; the API server's stack overflows.
    if (known === 'running') throw new AbortedConnection(`variable ${name} uses itself`);
    if (known !== undefined) return known;
    values.set(name, 'running');
    const value = evaluated(name, compilation);
    values.set(name, value);
    return value;
  };
  const evaluated = (name: string, compilation: Compilation): CelValue => {
    const named = JSON.stringify(name);
    if (compilation.outcome === 'failed') return celError(`composited variable ${named} fails to compile: ${compilation.error.detail}`);
    const outcome = evaluate(compilation.program, composed);
    cost += outcome.cost;
    return outcome.outcome === 'value' ? outcome.value : celError(`composited variable ${named} fails to evaluate: ${outcome.message}`);
  };
  const lazy = new LazyMembers(variables, (compilation, name) => variableValue(name, compilation));
  const composed: Activation = { ...activation, resolve: name => (name === 'variables' ? lazy : activation.resolve(name)) };
  return {
    activation: composed,
    takeCost: () => {
      const taken = cost;
      cost = 0;
      return taken;
    },
  };
}
