import type { Expr } from './ast.js';
import { type ExprFactory, locationOf, newExpr } from './expr-factory.js';
import type { Macro } from './macros.js';
import type { TreeNode } from './parse-tree.js';
import type { SourceLocation } from './source.js';

/** State of the conversion from a parse tree to an expression. */
export interface AstBuilder {
  readonly factory: ExprFactory;
  /** By name, number of arguments and whether it is a member call: `map:2:true`. */
  readonly macros: ReadonlyMap<string, Macro>;
  readonly report: (location: SourceLocation, message: string) => void;
  /** Accepts names of fields in backticks. */
  readonly hasEscapedNames: boolean;
  depth: number;
  /** Builds the expression of a subtree. A member, because the builders of the node kinds call it recursively. */
  readonly build: (b: AstBuilder, tree: TreeNode | undefined) => Expr;
}

/** Key of a macro. */
export function macroKey(name: string, argCount: number, receiver: boolean): string {
  return `${name}:${argCount}:${receiver}`;
}

/** A node for something the parser could not match. */
export function unspecified(b: AstBuilder): Expr {
  return newExpr(b.factory, -1, { kind: 'unspecified' });
}

/** Reports an error at the position of a token or the start of a node. */
export function reportAt(b: AstBuilder, offset: number, message: string): Expr {
  const expr = newExpr(b.factory, offset, { kind: 'unspecified' });
  b.report(locationOf(b.factory, expr.id), message);
  return expr;
}
