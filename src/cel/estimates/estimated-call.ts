import type { Expr } from '../syntax/ast.js';
import type { Type } from '../values/type.js';
import type { AccessPath } from './access-path.js';
import { type SizeEstimate, unknownSize } from './size-estimate.js';

/**
 * Returns the size of the value at the end of a path; undefined when no size is declared. Source: cel-go checker/cost.go
 * CostEstimator.EstimateSize.
 */
export type DeclaredSizes = (path: AccessPath) => SizeEstimate | undefined;

/** An argument of a call whose cost is estimated. Source: cel-go checker/cost.go AstNode. */
export interface EstimatedArgument {
  /** Undefined for values without an expression of their own, such as the elements of a list. */
  readonly expr: Expr | undefined;
  readonly type: Type;
  /** Undefined when no path from a variable leads to the value. */
  readonly path: AccessPath | undefined;
  /** Size known from the expression. */
  readonly size: SizeEstimate | undefined;
}

/** A call with one of its matching overloads. */
export interface EstimatedCall {
  readonly function: string;
  readonly overload: string;
  /** For a member call: `a.f(b)`. */
  readonly target: EstimatedArgument | undefined;
  readonly args: readonly EstimatedArgument[];
  readonly declaredSizes: DeclaredSizes;
}

/** Maximum cost of a call without its arguments, and the size of its result, if known. */
export interface CallEstimate {
  readonly cost: bigint;
  readonly size?: SizeEstimate | undefined;
}

/** Size of an argument, as known from its expression. */
export function computedSize(argument: EstimatedArgument | undefined): SizeEstimate {
  return argument?.size ?? unknownSize;
}

/** Size of an argument, as known from its expression or its declaration. */
export function sizeOfArgument(argument: EstimatedArgument, { declaredSizes }: EstimatedCall): SizeEstimate {
  if (argument.size !== undefined) return argument.size;
  return (argument.path && declaredSizes(argument.path)) ?? unknownSize;
}
