import type { CelValue } from '../values/value.js';

/** What is said of an evaluation that was stopped for its price. */
export const costLimitExceeded = 'operation cancelled: actual cost limit exceeded';

/** An evaluation costs more than it may. */
export class CostLimitExceeded extends Error {
  override readonly name = 'CostLimitExceeded';

  constructor() {
    super(costLimitExceeded);
  }
}

/**
 * What an evaluation has cost so far. Values wait on a stack, under the numbers of the nodes they came from, for the call that takes
 * them: a call whose arguments are not found there costs nothing. Source: cel-go interpreter/runtimecost.go.
 */
export interface CostTracker {
  cost: number;
  readonly limit: number;
  readonly ids: number[];
  readonly values: CelValue[];
  /** For every place on the stack, the place below it that holds the same number; -1: none. */
  readonly below: number[];
  /** By number, its topmost place on the stack; -1 or nothing: none. */
  readonly topmost: number[];
}

export function costTracker(limit: number): CostTracker {
  return { cost: 0, limit, ids: [], values: [], below: [], topmost: [] };
}

/** Puts a node's value on the stack. Throws CostLimitExceeded when the evaluation has cost too much by now. */
export function push({ cost, limit, ids, values, below, topmost }: CostTracker, id: number, value: CelValue): void {
  below.push(topmost[id] ?? -1);
  topmost[id] = ids.length;
  ids.push(id);
  values.push(value);
  if (cost > limit) throw new CostLimitExceeded();
}

/** Takes the topmost value of a node off the stack, with all that stands above it; nothing when there is none. */
export function drop({ ids, values, below, topmost }: CostTracker, id: number): CelValue | undefined {
  const place = topmost[id] ?? -1;
  if (place < 0) return undefined;
  let value: CelValue | undefined;
  while (ids.length > place) {
    const top = ids.pop() ?? 0;
    topmost[top] = below.pop() ?? -1;
    value = values.pop();
  }
  return value;
}

/** Takes the arguments of a call off the stack, the last one first; undefined when one is not there. */
export function dropAll(tracker: CostTracker, ids: readonly number[]): CelValue[] | undefined {
  const values: CelValue[] = [];
  for (let i = ids.length - 1; i >= 0; i -= 1) {
    const value = drop(tracker, ids[i] ?? -1);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values.length > 1 ? values.reverse() : values;
}
