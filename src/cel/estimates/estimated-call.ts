import type { Expr } from '../syntax/ast.js';
import type { Type } from '../values/type.js';
import type { AccessPath } from './access-path.js';
import { type SizeEstimate, unknownSize } from './size-estimate.js';

/** How large the value at the end of a path may be; undefined when nothing is declared of it. Source: cel-go checker/cost.go CostEstimator.EstimateSize. */
export type DeclaredSizes = (path: AccessPath) => SizeEstimate | undefined;

/** An argument of a call whose cost is estimated. Source: cel-go checker/cost.go AstNode. */
export interface EstimatedArgument {
  /** Undefined for what has no expression of its own: the elements of a list. */
  readonly expr: Expr | undefined;
  readonly type: Type;
  /** Undefined when the value is reached from no variable. */
  readonly path: AccessPath | undefined;
  /** What the expression itself tells of the size. */
  readonly size: SizeEstimate | undefined;
}

/** A call, taken to be of one of the signatures that fit. */
export interface EstimatedCall {
  readonly function: string;
  readonly overload: string;
  /** Of a call on a value: `a.f(b)`. */
  readonly target: EstimatedArgument | undefined;
  readonly args: readonly EstimatedArgument[];
  readonly declaredSizes: DeclaredSizes;
}

/** What a call may cost at most, without its arguments, and how large its result is if that is known. */
export interface CallEstimate {
  readonly cost: bigint;
  readonly size?: SizeEstimate | undefined;
}

/** The size of an argument as its expression tells it. */
export function computedSize(argument: EstimatedArgument | undefined): SizeEstimate {
  return argument?.size ?? unknownSize;
}

/** The size of an argument as its expression tells it, or its declaration. */
export function sizeOfArgument(argument: EstimatedArgument, { declaredSizes }: EstimatedCall): SizeEstimate {
  if (argument.size !== undefined) return argument.size;
  return (argument.path && declaredSizes(argument.path)) ?? unknownSize;
}
