import type { Expr } from './ast.js';
import { type AstBuilder, reportAt, unspecified } from './ast-builder.js';
import { argumentsOf, callOrMacro, fieldName, literal, primary } from './build-primary.js';
import { newExpr, newId } from './expr-factory.js';
import { binaryOperator, operators } from './operators.js';
import { nodeOf, nodesOfTree, type TreeNode, tokenOf, tokensOfTree } from './parse-tree.js';

/** The expression exceeds the nesting limit. */
export class NestingError extends Error {
  override readonly name = 'NestingError';
}

/**
 * Builds the expression for a parse tree. Gaps left by syntax errors, which are already reported, become unspecified nodes. Throws
 * NestingError. Source: cel-go parser/parser.go.
 */
export function buildAst(b: AstBuilder, tree: TreeNode | undefined): Expr {
  const node = unnest(tree);
  if (node === undefined) return unspecified(b);
  switch (node.rule) {
    case 'conditionalOr':
      return logical(b, node, { function: operators.logicalOr, text: '||' });
    case 'conditionalAnd':
      return logical(b, node, { function: operators.logicalAnd, text: '&&' });
    case 'expr':
      return nested(b, () => conditional(b, node));
    case 'relation':
    case 'calc':
      return nested(b, () => binary(b, node));
    case 'member':
      return nested(b, () => suffixed(b, node));
    case 'unary':
      return prefixed(b, node);
    case 'primary':
      return primary(b, node);
    case 'literal':
      return literal(b, node);
    default:
      return unspecified(b);
  }
}

const maxNesting = 250;

/** Skips nodes that only wrap another one. */
function unnest(tree: TreeNode | undefined): TreeNode | undefined {
  let node = tree;
  while (node !== undefined) {
    const inner = held(node);
    if (inner === 'itself') return node;
    node = inner;
  }
  return undefined;
}

function held(node: TreeNode): TreeNode | undefined | 'itself' {
  switch (node.rule) {
    case 'start':
      return nodeOf(node, 'e');
    case 'expr':
      return tokenOf(node, 'op') === undefined ? nodeOf(node, 'e') : 'itself';
    case 'conditionalOr':
    case 'conditionalAnd':
      return tokensOfTree(node, 'ops').length === 0 ? nodeOf(node, 'e') : 'itself';
    case 'relation':
    case 'calc':
      return tokenOf(node, 'op') === undefined ? nodeOf(node, 'operand') : 'itself';
    case 'unary':
      return node.alternative === 1 ? nodeOf(node, 'member') : 'itself';
    case 'member':
      return node.alternative === 0 ? nodeOf(node, 'operand') : 'itself';
    case 'primary':
      return node.alternative === 3 ? nodeOf(node, 'e') : node.alternative === 7 ? nodeOf(node, 'literal') : 'itself';
    default:
      return 'itself';
  }
}

function nested(b: AstBuilder, build: () => Expr): Expr {
  b.depth += 1;
  if (b.depth > maxNesting) throw new NestingError('max recursion depth exceeded');
  const expr = build();
  b.depth -= 1;
  return expr;
}

function conditional(b: AstBuilder, node: TreeNode): Expr {
  const condition = buildAst(b, nodeOf(node, 'e'));
  const id = newId(b.factory, tokenOf(node, 'op')?.offset ?? -1);
  const args = [condition, buildAst(b, nodeOf(node, 'e1')), buildAst(b, nodeOf(node, 'e2'))];
  return { id, node: { kind: 'call', function: operators.conditional, target: undefined, args } };
}

/** Balances a chain of `&&` or `||`. Source: cel-go parser/helper.go. */
function logical(b: AstBuilder, node: TreeNode, operator: { readonly function: string; readonly text: string }): Expr {
  const terms = [buildAst(b, nodeOf(node, 'e'))];
  const rest = nodesOfTree(node, 'e1');
  const ids: number[] = [];
  for (const [i, token] of tokensOfTree(node, 'ops').entries()) {
    const next = rest[i];
    if (next === undefined) return reportAt(b, node.start.offset, `unexpected character, wanted '${operator.text}'`);
    terms.push(buildAst(b, next));
    ids.push(newId(b.factory, token.offset));
  }
  const balanced = (low: number, high: number): Expr => {
    const middle = Math.floor((low + high + 1) / 2);
    const left = middle === low ? terms[middle] : balanced(low, middle - 1);
    const right = middle === high ? terms[middle + 1] : balanced(middle + 1, high);
    const args = [left, right].filter(term => term !== undefined);
    return { id: ids[middle] ?? -1, node: { kind: 'call', function: operator.function, target: undefined, args } };
  };
  return balanced(0, ids.length - 1);
}

function binary(b: AstBuilder, node: TreeNode): Expr {
  const token = tokenOf(node, 'op');
  const operator = binaryOperator(token?.text ?? '');
  if (token === undefined || operator === undefined) return reportAt(b, node.start.offset, 'operator not found');
  const left = buildAst(b, nodeOf(node, 'left'));
  const id = newId(b.factory, token.offset);
  const right = buildAst(b, nodeOf(node, 'right'));
  return { id, node: { kind: 'call', function: operator, target: undefined, args: [left, right] } };
}

/** An even number of `!` or `-` cancels out. */
function prefixed(b: AstBuilder, node: TreeNode): Expr {
  const ops = tokensOfTree(node, 'ops');
  const [first] = ops;
  if (node.alternative === 0) return newExpr(b.factory, node.start.offset, { kind: 'literal', value: '<<error>>' });
  if (first === undefined || ops.length % 2 === 0) return buildAst(b, nodeOf(node, 'member'));
  const id = newId(b.factory, first.offset);
  const target = buildAst(b, nodeOf(node, 'member'));
  const name = node.alternative === 2 ? operators.logicalNot : operators.negate;
  return { id, node: { kind: 'call', function: name, target: undefined, args: [target] } };
}

function suffixed(b: AstBuilder, node: TreeNode): Expr {
  const operand = buildAst(b, nodeOf(node, 'left'));
  if (node.alternative === 1) return select(b, node, operand);
  if (node.alternative === 3) return index(b, node, operand);
  const name = tokenOf(node, 'id');
  if (name === undefined) return newExpr(b.factory, node.start.offset, { kind: 'unspecified' });
  const id = newId(b.factory, tokenOf(node, 'open')?.offset ?? -1);
  return callOrMacro(b, id, { name: name.text, target: operand, args: argumentsOf(b, node) });
}

function select(b: AstBuilder, node: TreeNode, operand: Expr): Expr {
  const op = tokenOf(node, 'op');
  const identifier = nodeOf(node, 'id');
  if (op === undefined || identifier === undefined) return newExpr(b.factory, node.start.offset, { kind: 'unspecified' });
  const field = fieldName(b, identifier, identifier.start) ?? '';
  if (tokenOf(node, 'opt') === undefined) return newExpr(b.factory, op.offset, { kind: 'select', operand, field, testOnly: false });
  const name = newExpr(b.factory, identifier.start.offset, { kind: 'literal', value: field });
  return newExpr(b.factory, op.offset, { kind: 'call', function: operators.optSelect, target: undefined, args: [operand, name] });
}

function index(b: AstBuilder, node: TreeNode, operand: Expr): Expr {
  const op = tokenOf(node, 'op');
  if (op === undefined) return newExpr(b.factory, node.start.offset, { kind: 'unspecified' });
  const id = newId(b.factory, op.offset);
  const args = [operand, buildAst(b, nodeOf(node, 'index'))];
  const name = tokenOf(node, 'opt') === undefined ? operators.index : operators.optIndex;
  return { id, node: { kind: 'call', function: name, target: undefined, args } };
}
