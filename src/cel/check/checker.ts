import type { Expr } from '../syntax/ast.js';
import { type ExprFactory, locationOf } from '../syntax/expr-factory.js';
import { type Issues, noIssues, report } from '../syntax/issues.js';
import { DYN, ERROR, type Type } from '../values/type.js';
import { typeOf } from '../values/type-of.js';
import type { CelValue } from '../values/value.js';
import { noSubstitutions, type Substitutions, substitute, typeVariable } from './assignability.js';
import { checkList, checkMap } from './check-aggregates.js';
import { checkCall } from './check-calls.js';
import { checkComprehension } from './check-comprehension.js';
import { checkIdent, checkSelect } from './check-names.js';
import { checkStruct } from './check-struct.js';
import type { FunctionDeclaration, VariableDeclaration } from './declarations.js';
import { findTypeIdent, type TypeProvider } from './type-provider.js';

/** What expressions can name. */
export interface CheckerEnvironment {
  readonly variables: ReadonlyMap<string, VariableDeclaration>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly types: TypeProvider;
}

/** What a name or a call turned out to mean. */
export type Reference =
  | { readonly kind: 'ident'; readonly name: string; readonly value: CelValue | undefined }
  | { readonly kind: 'function'; readonly overloads: readonly string[] };

/** A checker at work. */
export interface Checker {
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

export interface Checked {
  readonly issues: Issues;
  readonly types: ReadonlyMap<number, Type>;
  readonly references: ReadonlyMap<number, Reference>;
}

/** Finds types for all parts of an expression and what its names mean. Source: cel-go checker/checker.go. */
export function checkExpression(expr: Expr, factory: ExprFactory, environment: CheckerEnvironment): Checked {
  const checker: Checker = {
    environment,
    factory,
    issues: noIssues(),
    types: new Map(),
    references: new Map(),
    substitutions: noSubstitutions(),
    variableCount: 0,
    scopes: [],
  };
  check(checker, expr);
  const types = new Map([...checker.types].map(([id, type]) => [id, substitute(checker.substitutions, type, DYN)]));
  return { issues: checker.issues, types, references: checker.references };
}

/** Checks a node and its parts. */
export function check(c: Checker, e: Expr): void {
  switch (e.node.kind) {
    case 'literal':
      setType(c, e, typeOf(e.node.value));
      return;
    case 'ident':
      checkIdent(c, e, e.node.name);
      return;
    case 'select':
      checkSelect(c, e, e.node);
      return;
    case 'call':
      checkCall(c, e, e.node);
      return;
    case 'list':
      checkList(c, e, e.node);
      return;
    case 'map':
      checkMap(c, e, e.node);
      return;
    case 'struct':
      checkStruct(c, e, e.node);
      return;
    case 'comprehension':
      checkComprehension(c, e, e.node);
      return;
    case 'unspecified':
      throw new Error('a syntax error went unnoticed');
  }
}

/** Reports an error at a node. */
export function issueAt(c: Checker, id: number, message: string): void {
  report(c.issues, locationOf(c.factory, id), message);
}

/** Remembers a node's type. */
export function setType(c: Checker, e: Expr, type: Type): void {
  c.types.set(e.id, type);
}

/** The type found for a node that was checked. */
export function getType(c: Checker, e: Expr): Type {
  return c.types.get(e.id) ?? ERROR;
}

/** A type variable that nothing is known of. */
export function newTypeVariable(c: Checker): Type {
  const variable = typeVariable(c.variableCount);
  c.variableCount += 1;
  return variable;
}

/** What a name means where the checker is; a leading dot is the same name. */
export function lookUpIdent(c: Checker, name: string): VariableDeclaration | undefined {
  const candidate = withoutDot(name);
  for (let i = c.scopes.length - 1; i >= 0; i -= 1) {
    const found = c.scopes[i]?.get(candidate);
    if (found !== undefined) return found;
  }
  return c.environment.variables.get(candidate) ?? findTypeIdent(c.environment.types, candidate);
}

/** The function of a name. */
export function lookUpFunction(c: Checker, name: string): FunctionDeclaration | undefined {
  return c.environment.functions.get(withoutDot(name));
}

function withoutDot(name: string): string {
  return name.startsWith('.') ? name.slice(1) : name;
}
