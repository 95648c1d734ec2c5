import type { Implementation } from '../check/declarations.js';
import { operators } from '../syntax/operators.js';
import { equal } from '../values/equality.js';
import { traits } from '../values/type.js';
import { hasTrait } from '../values/type-of.js';
import { type CelValue, celError, isCelOptionalValue, isError } from '../values/value.js';
import { callCostOf } from './call-cost.js';
import type { FunctionBinding } from './dispatcher.js';
import type { EvaluationFrame, EvaluationStep } from './frame.js';
import { idsOf, observeCall, observeFree, observeShortCall } from './observe.js';

/** A call in an expression. */
export interface Call {
  readonly id: number;
  readonly function: string;
  /** Empty when several overloads match. */
  readonly overload: string;
  readonly args: readonly EvaluationStep[];
}

/** The expression cannot be planned. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
}

/**
 * Plans a call; a function without binding is an error for every value. Throws PlanError when the bound function takes another number of
 * arguments. Source: cel-go interpreter/planner.go planCall.
 */
export function callStep(call: Call, binding: FunctionBinding | undefined): EvaluationStep {
  const implementation = binding?.implementation;
  if (call.args.length === 0) return zeroStep(call, implementation);
  if (call.args.length > 2 || implementation?.arity === 'any') return argumentsStep(call, binding);
  return call.args.length === 1 ? unaryStep(call, binding) : binaryStep(call, binding);
}

/** `==` and `!=`. For values that cannot be compared, `==` gives an error and `!=` gives true. */
export function equalityStep(id: number, { args, negated }: { args: readonly EvaluationStep[]; negated: boolean }): EvaluationStep {
  const name = negated ? operators.notEquals : operators.equals;
  const call: Call = { id, function: name, overload: negated ? 'not_equals' : 'equals', args };
  const [first = noStep, second = noStep] = args;
  return observedCall(call, frame => {
    const left = first.evaluate(frame);
    const right = second.evaluate(frame);
    if (isError(left)) return left;
    if (isError(right)) return right;
    const same = equal(left, right);
    return negated ? same !== true : same;
  });
}

/** `a.or(b)` returns the optional, `a.orValue(b)` its value; `b` is not evaluated when `a` has a value. */
export function optionalOrStep(call: Call, unwrap: boolean): EvaluationStep {
  const { id, args } = call;
  const [first = noStep, second = noStep] = args;
  const evaluate = (frame: EvaluationFrame): CelValue => {
    const left = first.evaluate(frame);
    if (!isCelOptionalValue(left)) return left;
    if (left.value === undefined) return second.evaluate(frame);
    return unwrap ? left.value : left;
  };
  return { form: { kind: 'other' }, id: () => id, evaluate: frame => observeFree(frame, id, evaluate(frame)) };
}

function zeroStep(call: Call, implementation: Implementation | undefined): EvaluationStep {
  if (implementation?.arity !== 'any') throw new PlanError(`no such overload: ${call.function}()`);
  return observedCall(call, () => implementation.call());
}

function unaryStep(call: Call, binding: FunctionBinding | undefined): EvaluationStep {
  const implementation = binding?.implementation;
  if (implementation !== undefined && implementation.arity !== 'unary') throw new PlanError(`no such overload: ${call.function}(arg)`);
  const [arg = noStep] = call.args;
  const { nonStrict, trait } = rulesOf(binding);
  return observedCall(call, frame => {
    const value = arg.evaluate(frame);
    if (!nonStrict && isError(value)) return value;
    if (implementation !== undefined && fitsTrait(trait, value)) return implementation.call(value);
    return notBound(call, value);
  });
}

function binaryStep(call: Call, binding: FunctionBinding | undefined): EvaluationStep {
  const implementation = binding?.implementation;
  if (implementation !== undefined && implementation.arity !== 'binary') {
    throw new PlanError(`no such overload: ${call.function}(lhs, rhs)`);
  }
  const [first = noStep, second = noStep] = call.args;
  const { nonStrict, trait } = rulesOf(binding);
  return observedCall(call, frame => {
    const left = first.evaluate(frame);
    const right = second.evaluate(frame);
    if (!nonStrict && isError(left)) return left;
    if (!nonStrict && isError(right)) return right;
    if (implementation !== undefined && fitsTrait(trait, left)) return implementation.call(left, right);
    return notBound(call, left);
  });
}

function argumentsStep(call: Call, binding: FunctionBinding | undefined): EvaluationStep {
  const implementation = binding?.implementation;
  if (implementation !== undefined && implementation.arity !== 'any') throw new PlanError(`no such overload: ${call.function}(...)`);
  const { nonStrict, trait } = rulesOf(binding);
  return observedCall(call, frame => {
    const values: CelValue[] = [];
    for (const arg of call.args) {
      const value = arg.evaluate(frame);
      if (!nonStrict && isError(value)) return value;
      values.push(value);
    }
    const [first = ''] = values;
    if (implementation !== undefined && fitsTrait(trait, first)) return implementation.call(...values);
    return notBound({ ...call, function: `${call.function} ${call.id}` }, first);
  });
}

function observedCall(call: Call, evaluate: (frame: EvaluationFrame) => CelValue): EvaluationStep {
  const { id, overload } = call;
  const observed = { id, overload, cost: callCostOf(call.function, overload), args: idsOf(call.args) };
  const observe = call.args.length === 1 || call.args.length === 2 ? observeShortCall : observeCall;
  return {
    form: { kind: 'call', function: call.function, overload: call.overload, args: call.args },
    id: () => call.id,
    evaluate: frame => observe(frame, observed, evaluate(frame)),
  };
}

/** Stands for an argument that is missing, which the planner excludes. */
const noStep: EvaluationStep = { form: { kind: 'other' }, id: () => -1, evaluate: () => '' };

function rulesOf(binding: FunctionBinding | undefined): { readonly nonStrict: boolean; readonly trait: number } {
  return { nonStrict: binding?.nonStrict === true, trait: binding?.trait ?? 0 };
}

function fitsTrait(trait: number, value: CelValue): boolean {
  return trait === 0 || isError(value) || hasTrait(value, trait);
}

/** Extension values that dispatch calls themselves have no unbound functions. */
function notBound(call: Call, value: CelValue): CelValue {
  return celError(hasTrait(value, traits.receiver) ? 'no such overload' : `no such overload: ${call.function}`);
}
