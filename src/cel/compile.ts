import { checkExpression, type Reference } from './check/checker.js';
import { validateLiterals } from './check/validators.js';
import type { Environment } from './environment/environment.js';
import { PlanError } from './evaluate/call-steps.js';
import type { Step } from './evaluate/frame.js';
import { planStep } from './evaluate/plan.js';
import type { Expr } from './syntax/ast.js';
import { displayIssues } from './syntax/issues.js';
import { parse } from './syntax/parse.js';
import { sourceOf } from './syntax/source.js';
import { BOOL, sameType, type Type, typeText } from './values/type.js';

/** An expression that can be evaluated, or what is wrong with it. */
export type Compilation =
  | { readonly outcome: 'compiled'; readonly program: Program }
  | { readonly outcome: 'failed'; readonly error: CompileError };

/** A compiled expression. */
export interface Program {
  readonly step: Step;
  readonly type: Type;
  readonly checked: CheckedExpression;
}

/** An expression with the types of its parts and what its names mean. */
export interface CheckedExpression {
  readonly expr: Expr;
  readonly types: ReadonlyMap<number, Type>;
  readonly references: ReadonlyMap<number, Reference>;
}

/** Why an expression does not compile. `internal`: its types are right, but no program comes of it. */
export interface CompileError {
  readonly kind: 'invalid' | 'internal';
  readonly detail: string;
}

/** Compiles an expression that must be true or false. Throws GoPanic where the API server panics. Source: apiserver admission/plugin/cel/compile.go CompileCELExpression. */
export function compileCondition(expression: string, environment: Environment): Compilation {
  return compileExpression(expression, environment, BOOL);
}

/** Compiles an expression of a type; of any when none is given. */
export function compileExpression(expression: string, environment: Environment, wanted?: Type): Compilation {
  const source = sourceOf(expression);
  const parsed = parse(source, environment.macros);
  if (parsed.outcome === 'invalid') return invalid(`compilation failed: ${displayIssues(parsed.issues, source)}`);
  const { expr, factory } = parsed;
  const checked = checkExpression(expr, factory, environment);
  const issues = checked.issues.count > 0 ? checked.issues : validateLiterals(expr, factory, checked);
  if (issues.count > 0) return invalid(`compilation failed: ${displayIssues(issues, source)}`);
  const type = checked.types.get(expr.id);
  if (type === undefined) throw new Error('an expression without a type');
  if (wanted !== undefined && !sameType(type, wanted)) {
    return invalid(`must evaluate to ${typeText(wanted)} but got ${typeText(type)}`);
  }
  try {
    const { types, references } = checked;
    const plan = { types, references, provider: environment.types, dispatcher: environment.dispatcher };
    return { outcome: 'compiled', program: { step: planStep(plan, expr), type, checked: { expr, types, references } } };
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { outcome: 'failed', error: { kind: 'internal', detail: `program instantiation failed: ${error.message}` } };
  }
}

function invalid(detail: string): Compilation {
  return { outcome: 'failed', error: { kind: 'invalid', detail } };
}
