import type { Expr } from '../syntax/ast.js';
import type { ExprFactory } from '../syntax/expr-factory.js';
import { type Issues, newIssues } from '../syntax/issues.js';
import { DYN, type Type } from '../values/type.js';
import { typeOf } from '../values/type-of.js';
import { newSubstitutions, substitute } from './assignability.js';
import { checkList, checkMap } from './check-aggregates.js';
import { checkCall } from './check-calls.js';
import { checkComprehension } from './check-comprehension.js';
import { checkIdent, checkSelect } from './check-names.js';
import { checkStruct } from './check-struct.js';
import { type Checker, type CheckerEnvironment, type Reference, setType } from './checker.js';

export interface Checked {
  readonly issues: Issues;
  readonly types: ReadonlyMap<number, Type>;
  readonly references: ReadonlyMap<number, Reference>;
}

/** Infers the type of every node and resolves names. Source: cel-go checker/checker.go. */
export function checkExpression(expr: Expr, factory: ExprFactory, environment: CheckerEnvironment): Checked {
  const checker: Checker = {
    checkNode,
    environment,
    factory,
    issues: newIssues(),
    types: new Map(),
    references: new Map(),
    substitutions: newSubstitutions(),
    variableCount: 0,
    scopes: [],
  };
  checkNode(checker, expr);
  const types = new Map([...checker.types].map(([id, type]) => [id, substitute(checker.substitutions, type, DYN)]));
  return { issues: checker.issues, types, references: checker.references };
}

/** Checks a node and its children. */
function checkNode(c: Checker, e: Expr): void {
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
      throw new Error('an unspecified node without a syntax error');
  }
}
