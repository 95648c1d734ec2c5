import type { CelValue } from '../values/value.js';
import type { CostedCall } from './cost-model.js';
import { drop, dropAll, push } from './cost-tracker.js';
import type { Frame, Step } from './frame.js';

/** A value without cost. Throws CostLimitExceeded, as do the other functions here. Source: cel-go runtimecost.go Observe. */
export function observeFree(frame: Frame, id: number, value: CelValue): CelValue {
  if (frame.tracker !== undefined) push(frame.tracker, id, value);
  return value;
}

/** A qualifier costs one. */
export function observeUnit(frame: Frame, id: number, value: CelValue): CelValue {
  const { tracker } = frame;
  if (tracker === undefined) return value;
  tracker.cost += 1;
  push(tracker, id, value);
  return value;
}

/** A step that consumes the values of other steps at no cost: `&&`, `||`, a comprehension. */
export function observeTaking(
  frame: Frame,
  step: { readonly id: number; readonly takes: () => readonly number[] },
  value: CelValue,
): CelValue {
  const { tracker } = frame;
  if (tracker === undefined) return value;
  for (const id of step.takes()) drop(tracker, id);
  push(tracker, step.id, value);
  return value;
}

/** A list or map literal: it has a cost of its own, in addition to its elements. */
export function observeConstructed(
  frame: Frame,
  step: { readonly id: number; readonly parts: () => readonly number[]; readonly price: number },
  value: CelValue,
): CelValue {
  const { tracker } = frame;
  if (tracker === undefined) return value;
  dropAll(tracker, step.parts());
  tracker.cost += step.price;
  push(tracker, step.id, value);
  return value;
}

/** A call, as the cost tracker sees it. */
export interface ObservedCall {
  readonly id: number;
  readonly overload: string;
  readonly cost: (call: CostedCall) => number;
  /** Node ids of the arguments. */
  readonly args: () => readonly number[];
}

/** A call: its cost depends on the arguments. */
export function observeCall(frame: Frame, { id, overload, cost, args }: ObservedCall, result: CelValue): CelValue {
  const { tracker } = frame;
  if (tracker === undefined) return result;
  const values = dropAll(tracker, args());
  if (values !== undefined) tracker.cost += cost({ overload, args: values, result });
  push(tracker, id, result);
  return result;
}

/** Node ids of steps, collected on first use: until then the plan may still change. */
export function idsOf(steps: readonly Step[]): () => readonly number[] {
  let ids: readonly number[] | undefined;
  return () => {
    ids ??= steps.map(step => step.id());
    return ids;
  };
}
