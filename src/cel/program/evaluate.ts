import { CostLimitExceeded, CostTracker, costLimitExceeded } from '../evaluate/cost-tracker.js';
import type { EvaluationFrame } from '../evaluate/frame.js';
import { GoPanic } from '../values/go-panic.js';
import { type CelValue, type FoundValue, isError } from '../values/value.js';
import type { CelProgram } from './compile.js';

/** Input of an evaluation. */
export interface Activation {
  /** Returns the value of a variable; undefined when it has none. */
  readonly resolve: (name: string) => FoundValue | undefined;
  /** Polled every hundred loop iterations; true stops the evaluation. */
  readonly interrupted?: () => boolean;
  /** Called after each evaluation with the last value of every node that was evaluated, by node id. */
  readonly evaluated?: ((program: CelProgram, values: ReadonlyMap<number, CelValue>) => void) | undefined;
}

/** Result and cost of an evaluation. */
export type EvaluationOutcome =
  | { readonly outcome: 'value'; readonly value: CelValue; readonly cost: number }
  | { readonly outcome: 'error'; readonly message: string; readonly cost: number };

/** Cost limit of a single evaluation. Source: apiserver pkg/apis/cel PerCallLimit. */
export const perCallLimit = 1_000_000;

/** Evaluates a compiled expression. Source: cel-go cel/program.go Eval. */
export function evaluate(program: CelProgram, { resolve, interrupted, evaluated }: Activation): EvaluationOutcome {
  const seen = evaluated === undefined ? undefined : new Map<number, CelValue>();
  const tracker = new CostTracker(perCallLimit, seen);
  const outcome = outcomeOf(program, { resolve, tracker, interrupted: everyHundredth(interrupted) });
  if (seen !== undefined) evaluated?.(program, seen);
  return outcome;
}

function outcomeOf({ step }: CelProgram, frame: EvaluationFrame & { readonly tracker: CostTracker }): EvaluationOutcome {
  const { tracker } = frame;
  try {
    const value = step.evaluate(frame);
    return isError(value)
      ? { outcome: 'error', message: value.message, cost: tracker.cost }
      : { outcome: 'value', value, cost: tracker.cost };
  } catch (error) {
    // A string longer than JavaScript supports: the API server would run out of memory, or out of budget immediately after.
    if (error instanceof CostLimitExceeded || error instanceof RangeError)
      return { outcome: 'error', message: costLimitExceeded, cost: tracker.cost };
    if (error instanceof GoPanic) return { outcome: 'error', message: `internal error: ${error.message}`, cost: tracker.cost };
    throw error;
  }
}

const checkFrequency = 100;

function everyHundredth(interrupted: (() => boolean) | undefined): () => boolean {
  if (interrupted === undefined) return () => false;
  let count = 0;
  return () => {
    count += 1;
    return count % checkFrequency === 0 && interrupted();
  };
}
