import type { ComprehensionNode, Expr } from '../syntax/ast.js';
import { BOOL, DYN, ERROR, formatType, INT, type Type } from '../values/type.js';
import { isAssignable, substitute } from './assignability.js';
import { type Checker, check, getType, issueAt, setType } from './checker.js';

/** Checks a comprehension over a list or a map. */
export function checkComprehension(c: Checker, e: Expr, node: ComprehensionNode): void {
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
