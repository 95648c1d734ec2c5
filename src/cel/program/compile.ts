import { checkExpression } from '../check/check-expression.js';
import type { Reference } from '../check/checker.js';
import type { Environment } from '../environment/environment.js';
import { PlanError } from '../evaluate/call-steps.js';
import type { EvaluationStep } from '../evaluate/frame.js';
import { planStep } from '../evaluate/plan.js';
import type { Expr } from '../syntax/ast.js';
import { displayIssues } from '../syntax/issues.js';
import { parse } from '../syntax/parse.js';
import { sourceOf } from '../syntax/source.js';
import { BOOL, sameType, type Type, typeText } from '../values/type.js';
import { validateLiterals } from './validators.js';

/** A compiled expression, or the compilation error. */
export type Compilation =
  | { readonly outcome: 'compiled'; readonly program: CelProgram }
  | { readonly outcome: 'failed'; readonly error: CompileError };

/** A compiled expression. */
export interface CelProgram {
  readonly step: EvaluationStep;
  readonly type: Type;
  readonly checked: CheckedExpression;
}

/** An expression with the types of its nodes and its resolved names. */
export interface CheckedExpression {
  readonly expr: Expr;
  readonly types: ReadonlyMap<number, Type>;
  readonly references: ReadonlyMap<number, Reference>;
}

/** Why an expression does not compile. */
export interface CompileError {
  /** `wrongType`: the result type is not allowed; `internal`: the expression passes type checking, but cannot be planned. */
  readonly kind: 'invalid' | 'wrongType' | 'internal';
  /** The API server's wording for most expressions. */
  readonly detail: string;
  /** The expression, if type checking passed. */
  readonly checked?: CheckedExpression;
}

/** Returns the error for a result type that is not allowed; undefined for an allowed one. */
export type TypeRefusal = (type: Type) => string | undefined;

/**
 * Compiles an expression whose result must be bool. Throws GoPanic where the API server panics. Source: apiserver
 * admission/plugin/cel/compile.go CompileCELExpression.
 */
export function compileCondition(expression: string, environment: Environment): Compilation {
  return compileExpression(expression, environment, type =>
    sameType(type, BOOL) ? undefined : `must evaluate to ${typeText(BOOL)} but got ${typeText(type)}`,
  );
}

/** Compiles an expression of any type for which `refusalOf` returns undefined. Throws GoPanic where the API server panics. */
export function compileExpression(expression: string, environment: Environment, refusalOf: TypeRefusal = () => undefined): Compilation {
  const source = sourceOf(expression);
  const parsed = parse(source, environment);
  if (parsed.outcome === 'invalid') return invalid(`compilation failed: ${displayIssues(parsed.issues, source)}`);
  const { expr, factory } = parsed;
  const found = checkExpression(expr, factory, environment);
  const issues = found.issues.count > 0 ? found.issues : validateLiterals(expr, factory, found);
  if (issues.count > 0) return invalid(`compilation failed: ${displayIssues(issues, source)}`);
  const type = found.types.get(expr.id);
  if (type === undefined) throw new Error('an expression without a type');
  const refusal = refusalOf(type);
  if (refusal !== undefined) return { outcome: 'failed', error: { kind: 'wrongType', detail: refusal } };
  return planned({ expr, types: found.types, references: found.references }, type, environment);
}

function planned(checked: CheckedExpression, type: Type, { types: provider, dispatcher }: Environment): Compilation {
  const { expr, types, references } = checked;
  try {
    return { outcome: 'compiled', program: { step: planStep({ types, references, provider, dispatcher }, expr), type, checked } };
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { outcome: 'failed', error: { kind: 'internal', detail: `${instantiationFailed}${error.message}`, checked } };
  }
}

/** Prefix of the detail of an internal error. */
export const instantiationFailed = 'program instantiation failed: ';

function invalid(detail: string): Compilation {
  return { outcome: 'failed', error: { kind: 'invalid', detail } };
}
