import type { ComprehensionNode, Expr } from '../syntax/ast.js';
import type { ExprFactory } from '../syntax/expr-factory.js';
import { type Issues, newIssues } from '../syntax/issues.js';
import { BOOL, DYN, ERROR, formatType, INT, type Type } from '../values/type.js';
import { celTypeOf } from '../values/type-of.js';
import { isAssignable, newSubstitutions, substitute } from './assignability.js';
import { checkList, checkMap } from './check-aggregates.js';
import { checkCall } from './check-calls.js';
import { checkIdent, checkSelect } from './check-names.js';
import { checkStruct } from './check-struct.js';
import { type Checker, type CheckerEnvironment, check, getType, issueAt, type Reference, setType } from './checker.js';

export interface TypedExpression {
  readonly issues: Issues;
  readonly types: ReadonlyMap<number, Type>;
  readonly references: ReadonlyMap<number, Reference>;
}

/** Infers the type of every node and resolves names. Source: cel-go checker/checker.go. */
export function checkExpression(expr: Expr, factory: ExprFactory, environment: CheckerEnvironment): TypedExpression {
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
      setType(c, e, celTypeOf(e.node.value));
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

/** Checks a comprehension over a list or a map. */
function checkComprehension(c: Checker, e: Expr, node: ComprehensionNode): void {
  check(c, node.iterRange);
  check(c, node.accuInit);
  const rangeType = substitute(c.substitutions, getType(c, node.iterRange), 'kept');
  const accuType = getType(c, node.accuInit);
  c.scopes.push(new Map([[node.accuVar, { name: node.accuVar, type: accuType }]]));
  const [first, second] = iterationTypes(c, node, rangeType);
  const scope = new Map([[node.iterVar, { name: node.iterVar, type: first }]]);
  if (node.iterVar2 !== undefined) scope.set(node.iterVar2, { name: node.iterVar2, type: second });
  c.scopes.push(scope);
  check(c, node.loopCondition);
  assertType(c, node.loopCondition, BOOL);
  check(c, node.loopStep);
  assertType(c, node.loopStep, accuType);
  c.scopes.pop();
  check(c, node.result);
  c.scopes.pop();
  setType(c, e, substitute(c.substitutions, getType(c, node.result), 'kept'));
}

/** Types of the iteration variables; the second is used only if there are two. */
function iterationTypes(c: Checker, { iterRange, iterVar2 }: ComprehensionNode, range: Type): readonly [Type, Type] {
  const [first = DYN, second = DYN] = range.parameters;
  switch (range.kind) {
    case 'list':
      return iterVar2 === undefined ? [first, DYN] : [INT, first];
    case 'map':
      return [first, second];
    case 'dyn':
    case 'error':
    case 'typeParam':
      isAssignable(c.substitutions, DYN, range);
      return [DYN, DYN];
    default:
      issueAt(
        c,
        iterRange.id,
        `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
      );
      return [ERROR, ERROR];
  }
}

function assertType(c: Checker, e: Expr, type: Type): void {
  const found = getType(c, e);
  if (!isAssignable(c.substitutions, type, found)) issueAt(c, e.id, `expected type '${formatType(type)}' but found '${formatType(found)}'`);
}
