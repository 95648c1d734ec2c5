import type { Expr } from '../syntax/ast.js';
import { type ExprFactory, locationOf } from '../syntax/expr-factory.js';
import { type Issues, reportIssue } from '../syntax/issues.js';
import { ERROR, type Type } from '../values/type.js';
import type { CelValue } from '../values/value.js';
import { type Substitutions, typeVariable } from './assignability.js';
import type { FunctionDeclaration, VariableDeclaration } from './declarations.js';
import type { NamedDeclarations } from './similar-names.js';
import { findTypeIdent, type TypeProvider } from './type-provider.js';

/** Declarations an expression is checked against. */
export interface CheckerEnvironment extends NamedDeclarations {
  readonly types: TypeProvider;
  /** Minor version of cel-go: 26, 29 or 33. */
  readonly celGo: number;
}

/** Resolved meaning of a name or a call. */
export type Reference =
  | { readonly kind: 'ident'; readonly name: string; readonly value: CelValue | undefined }
  | { readonly kind: 'function'; readonly overloads: readonly string[] };

/** State of a checker. */
export interface Checker {
  /** Checks a node and its children. A member, because the checks of the node kinds call it recursively. */
  readonly checkNode: (c: Checker, e: Expr) => void;
  readonly environment: CheckerEnvironment;
  readonly factory: ExprFactory;
  readonly issues: Issues;
  readonly types: Map<number, Type>;
  readonly references: Map<number, Reference>;
  readonly substitutions: Substitutions;
  variableCount: number;
  /** Innermost last. */
  readonly scopes: Map<string, VariableDeclaration>[];
}

/** Checks a node and its children. */
export function check(c: Checker, e: Expr): void {
  c.checkNode(c, e);
}

/** Reports an error at a node. */
export function issueAt(c: Checker, id: number, message: string): void {
  reportIssue(c.issues, locationOf(c.factory, id), message);
}

/** Records a node's type. */
export function setType(c: Checker, e: Expr, type: Type): void {
  c.types.set(e.id, type);
}

/** The type of a node that was already checked. */
export function getType(c: Checker, e: Expr): Type {
  return c.types.get(e.id) ?? ERROR;
}

/** Returns a fresh, unbound type variable. */
export function newTypeVariable(c: Checker): Type {
  const variable = typeVariable(c.variableCount);
  c.variableCount += 1;
  return variable;
}

/** Resolves a name in the current scope; a leading dot is ignored. */
export function lookUpIdent(c: Checker, name: string): VariableDeclaration | undefined {
  const candidate = withoutDot(name);
  for (let i = c.scopes.length - 1; i >= 0; i -= 1) {
    const found = c.scopes[i]?.get(candidate);
    if (found !== undefined) return found;
  }
  return c.environment.variables.get(candidate) ?? findTypeIdent(c.environment.types, candidate);
}

/** Resolves the name of a constructor; since cel-go 0.29 only types are found. Source: cel-go checker Env.resolveTypeIdent. */
export function lookUpType(c: Checker, name: string): VariableDeclaration | undefined {
  if (c.environment.celGo < 29) return lookUpIdent(c, name);
  const found = findTypeIdent(c.environment.types, withoutDot(name));
  return found?.value === undefined ? found : undefined;
}

/** Finds the function with a name. */
export function lookUpFunction(c: Checker, name: string): FunctionDeclaration | undefined {
  return c.environment.functions.get(withoutDot(name));
}

function withoutDot(name: string): string {
  return name.startsWith('.') ? name.slice(1) : name;
}
