import type { CelValue } from '../values/value.js';

/** A call whose cost is asked for. */
export interface CostedCall {
  /** Empty when several signatures fit. */
  readonly overload: string;
  readonly args: readonly CelValue[];
  readonly result: CelValue;
}

/** What the calls of one place in an expression cost; undefined where somebody else says it. */
export type CallCost = (call: CostedCall) => number | undefined;

/** Going through a text costs a tenth for each character. */
export function traversal(size: number): number {
  return Math.ceil(size * stringTraversalCostFactor);
}

/** Matching costs the text times the pattern. */
export function regexCost(textSize: number, patternSize: number): number {
  return Math.ceil((1 + textSize) * stringTraversalCostFactor) * Math.ceil(patternSize * regexLengthCostFactor);
}

export const stringTraversalCostFactor = 0.1;
export const regexLengthCostFactor = 0.25;
