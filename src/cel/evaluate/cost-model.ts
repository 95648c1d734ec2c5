import type { CelValue } from '../values/value.js';

/** A call whose cost is computed. */
export interface CostedCall {
  /** Empty when several overloads match. */
  readonly overload: string;
  readonly args: readonly CelValue[];
  readonly result: CelValue;
}

/** Cost of calls of one call site; undefined where another rule applies. */
export type CallCost = (call: CostedCall) => number | undefined;

/** The cost of most calls. */
export function costsOne(): number {
  return 1;
}

/** Traversing a string costs 0.1 per character. */
export function traversal(size: number): number {
  return Math.ceil(size * stringTraversalCostFactor);
}

/** Matching costs the text's length times the pattern's length. */
export function regexCost(textSize: number, patternSize: number): number {
  return Math.ceil((1 + textSize) * stringTraversalCostFactor) * Math.ceil(patternSize * regexLengthCostFactor);
}

export const stringTraversalCostFactor = 0.1;
export const regexLengthCostFactor = 0.25;
