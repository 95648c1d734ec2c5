import { adapt } from '../values/found.js';
import type { CelValue, FoundValue } from '../values/value.js';
import { type CostedCall, costsOne } from './cost-model.js';
import type { EvaluationFrame, EvaluationStep } from './frame.js';

/** A value without cost. Throws CostLimitExceeded, as do the other functions here. Source: cel-go runtimecost.go Observe. */
export function observeFree(frame: EvaluationFrame, id: number, value: CelValue): CelValue {
  if (frame.tracker !== undefined) frame.tracker.push(id, value);
  return value;
}

/** A qualifier costs one. */
export function observeUnit<T extends FoundValue>(frame: EvaluationFrame, id: number, value: T): T {
  const { tracker } = frame;
  if (tracker === undefined) return value;
  tracker.cost += 1;
  tracker.push(id, value);
  return value;
}

/** A step that consumes the values of other steps at no cost: `&&`, `||`, a comprehension. */
export interface TakingStep {
  readonly id: number;
  /** Node ids of the other steps. */
  readonly takes: readonly number[];
}

export function observeTaking(frame: EvaluationFrame, { id, takes }: TakingStep, value: CelValue): CelValue {
  const { tracker } = frame;
  if (tracker === undefined) return value;
  for (const taken of takes) tracker.drop(taken);
  tracker.push(id, value);
  return value;
}

/** A list or map literal: it has a cost of its own, in addition to its elements. */
export function observeConstructed(
  frame: EvaluationFrame,
  step: { readonly id: number; readonly parts: readonly number[]; readonly price: number },
  value: CelValue,
): CelValue {
  const { tracker } = frame;
  if (tracker === undefined) return value;
  tracker.dropAll(step.parts);
  tracker.cost += step.price;
  tracker.push(step.id, value);
  return value;
}

/** A call, as the cost tracker sees it. */
export interface ObservedCall {
  readonly id: number;
  readonly overload: string;
  readonly cost: (call: CostedCall) => number;
  /** Node ids of the arguments. */
  readonly args: readonly number[];
}

/** A call: its cost depends on the arguments. */
export function observeCall(frame: EvaluationFrame, { id, overload, cost, args }: ObservedCall, result: CelValue): CelValue {
  const { tracker } = frame;
  if (tracker === undefined) return result;
  const values = tracker.dropAll(args);
  if (values !== undefined) tracker.cost += cost({ overload, args: values, result });
  tracker.push(id, result);
  return result;
}

/** A call with one or two arguments, without a list of them where their values do not matter: loops make millions of calls. */
export function observeShortCall(frame: EvaluationFrame, call: ObservedCall, result: CelValue): CelValue {
  const { tracker } = frame;
  if (tracker === undefined) return result;
  const [firstId = -1, secondId] = call.args;
  const second = secondId === undefined ? undefined : tracker.drop(secondId);
  const first = secondId !== undefined && second === undefined ? undefined : tracker.drop(firstId);
  if (first !== undefined) {
    if (call.cost === costsOne) tracker.cost += 1;
    else {
      const args = second === undefined ? [adapt(first)] : [adapt(first), adapt(second)];
      tracker.cost += call.cost({ overload: call.overload, args, result });
    }
  }
  tracker.push(call.id, result);
  return result;
}

/** Node ids of steps that are planned completely. */
export function idsOf(steps: readonly EvaluationStep[]): readonly number[] {
  return steps.map(step => step.id());
}
