import type { CelValue } from '../values/value.js';

/** Error message of an evaluation that exceeded its cost limit. */
export const costLimitExceeded = 'operation cancelled: actual cost limit exceeded';

/** The evaluation exceeded its cost limit. */
export class CostLimitExceeded extends Error {
  override readonly name = 'CostLimitExceeded';

  constructor() {
    super(costLimitExceeded);
  }
}

/**
 * Accumulated cost of an evaluation. Values wait on a stack, under their node ids, for the call that consumes them: a call whose arguments
 * are not on the stack costs nothing. Source: cel-go interpreter/runtimecost.go.
 */
export interface CostTracker {
  cost: number;
  readonly limit: number;
  readonly ids: number[];
  readonly values: CelValue[];
  /** For each stack slot, the slot below it with the same node id; -1 for none. */
  readonly below: number[];
  /** Topmost stack slot by node id; -1 or undefined for none. */
  readonly topmost: number[];
  /** The last value of every node, where somebody asks for them. */
  readonly seen: Map<number, CelValue> | undefined;
}

export function costTracker(limit: number, seen?: Map<number, CelValue>): CostTracker {
  return { cost: 0, limit, ids: [], values: [], below: [], topmost: [], seen };
}

/** Pushes a node's value. Throws CostLimitExceeded when the accumulated cost is over the limit. */
export function push({ cost, limit, ids, values, below, topmost, seen }: CostTracker, id: number, value: CelValue): void {
  below.push(topmost[id] ?? -1);
  topmost[id] = ids.length;
  ids.push(id);
  values.push(value);
  seen?.set(id, value);
  if (cost > limit) throw new CostLimitExceeded();
}

/** Pops a node's topmost value and everything above it; no-op when there is none. */
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

/** Pops a call's arguments, last first; undefined when one is missing. */
export function dropAll(tracker: CostTracker, ids: readonly number[]): CelValue[] | undefined {
  const values = new Array<CelValue>(ids.length);
  for (let i = ids.length - 1; i >= 0; i -= 1) {
    const value = drop(tracker, ids[i] ?? -1);
    if (value === undefined) return undefined;
    values[i] = value;
  }
  return values;
}
