import type { CelValue } from '../values/value.js';
import { callCost } from './call-cost.js';
import { drop, dropAll, push } from './cost-tracker.js';
import type { Frame, Step } from './frame.js';

/** A value that costs nothing by itself. Throws CostLimitExceeded, as all of these do. Source: cel-go runtimecost.go Observe. */
export function observeFree(frame: Frame, id: number, value: CelValue): CelValue {
  if (frame.tracker !== undefined) push(frame.tracker, id, value);
  return value;
}

/** A look-up step costs one. */
export function observeUnit(frame: Frame, id: number, value: CelValue): CelValue {
  const { tracker } = frame;
  if (tracker === undefined) return value;
  tracker.cost += 1;
  push(tracker, id, value);
  return value;
}

/** A step that takes the values of others without cost: `&&`, `||`, a loop. */
export function observeTaking(frame: Frame, step: { readonly id: number; readonly takes: readonly number[] }, value: CelValue): CelValue {
  const { tracker } = frame;
  if (tracker === undefined) return value;
  for (const id of step.takes) drop(tracker, id);
  push(tracker, step.id, value);
  return value;
}

/** A list or map literal: a price of its own, its parts are paid. */
export function observeConstructed(
  frame: Frame,
  step: { readonly id: number; readonly parts: readonly Step[]; readonly price: number },
  value: CelValue,
): CelValue {
  const { tracker } = frame;
  if (tracker === undefined) return value;
  dropAll(tracker, idsOf(step.parts));
  tracker.cost += step.price;
  push(tracker, step.id, value);
  return value;
}

/** A call: what its function costs for these arguments. */
export function observeCall(
  frame: Frame,
  call: { readonly id: number; readonly function: string; readonly overload: string; readonly args: readonly Step[] },
  result: CelValue,
): CelValue {
  const { tracker } = frame;
  if (tracker === undefined) return result;
  const args = dropAll(tracker, idsOf(call.args));
  if (args !== undefined) tracker.cost += callCost({ function: call.function, overload: call.overload, args, result });
  push(tracker, call.id, result);
  return result;
}

function idsOf(steps: readonly Step[]): readonly number[] {
  return steps.map(step => step.id());
}
