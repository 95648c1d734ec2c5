import type { Program } from './compile.js';
import { CostLimitExceeded, costLimitExceeded, costTracker } from './evaluate/cost-tracker.js';
import { GoPanic } from './values/go-panic.js';
import { type CelValue, type Found, isError } from './values/value.js';

/** What an evaluation sees. */
export interface Activation {
  /** The value of a variable; undefined when it has none. */
  readonly resolve: (name: string) => Found | undefined;
  /** Is asked every hundred rounds of loops whether to stop. */
  readonly interrupted?: () => boolean;
}

/** What came out, and what it cost. */
export type Outcome =
  | { readonly outcome: 'value'; readonly value: CelValue; readonly cost: number }
  | { readonly outcome: 'error'; readonly message: string; readonly cost: number };

/** More than this one evaluation may not cost. Source: apiserver pkg/apis/cel PerCallLimit. */
export const perCallLimit = 1_000_000;

/** Evaluates a compiled expression. Source: cel-go cel/program.go Eval. */
export function evaluate({ step }: Program, { resolve, interrupted }: Activation): Outcome {
  const tracker = costTracker(perCallLimit);
  try {
    const value = step.evaluate({ resolve, tracker, interrupted: everyHundredth(interrupted) });
    return isError(value)
      ? { outcome: 'error', message: value.message, cost: tracker.cost }
      : { outcome: 'value', value, cost: tracker.cost };
  } catch (error) {
    // A text longer than JavaScript can hold: the API server would run out of memory, or out of budget right after.
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
