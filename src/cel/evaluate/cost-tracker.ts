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
  /** Where on the stack a number stands; the last place is the topmost. */
  readonly places: Map<number, number[]>;
}

export function costTracker(limit: number): CostTracker {
  return { cost: 0, limit, ids: [], values: [], places: new Map() };
}

/** Puts a node's value on the stack. Throws CostLimitExceeded when the evaluation has cost too much by now. */
export function push(tracker: CostTracker, id: number, value: CelValue): void {
  const place = tracker.ids.length;
  tracker.ids.push(id);
  tracker.values.push(value);
  const places = tracker.places.get(id);
  if (places === undefined) tracker.places.set(id, [place]);
  else places.push(place);
  if (tracker.cost > tracker.limit) throw new CostLimitExceeded();
}

/** Takes the topmost value of a node off the stack, with all that stands above it; nothing when there is none. */
export function drop(tracker: CostTracker, id: number): CelValue | undefined {
  const place = tracker.places.get(id)?.at(-1);
  if (place === undefined) return undefined;
  const value = tracker.values[place];
  while (tracker.ids.length > place) {
    const top = tracker.ids.pop();
    tracker.values.pop();
    if (top !== undefined) tracker.places.get(top)?.pop();
  }
  return value;
}

/** Takes the arguments of a call off the stack, the last one first; undefined when one is not there. */
export function dropAll(tracker: CostTracker, ids: readonly number[]): CelValue[] | undefined {
  const values: CelValue[] = [];
  for (let i = ids.length - 1; i >= 0; i -= 1) {
    const value = drop(tracker, ids[i] ?? -1);
    if (value === undefined) return undefined;
    values.unshift(value);
  }
  return values;
}
