import { matchConditionEnvironment } from '../cel/environment/admission.js';
import { childrenOf, type Expr } from '../cel/syntax/ast.js';
import { parse } from '../cel/syntax/parse.js';
import { sourceOf } from '../cel/syntax/source.js';
import type { ApiServer } from '../kubernetes/api-server.js';

/** Returns the syntax tree of an expression, macros expanded; undefined if it cannot be parsed. */
export function parseExpression(server: ApiServer, expression: string): Expr | undefined {
  const parsed = parse(sourceOf(expression), matchConditionEnvironment(server));
  return parsed.outcome === 'parsed' ? parsed.expr : undefined;
}

/** Returns a tree's nodes, parents first. */
export function nodesOfExpression(expr: Expr): Expr[] {
  return [expr, ...childrenOf(expr).flatMap(nodesOfExpression)];
}

/** Reports whether an expression reads a variable. */
export function readsVariable(expr: Expr, name: string): boolean {
  return nodesOfExpression(expr).some(({ node }) => node.kind === 'ident' && node.name === name);
}

/** Returns the names that are selected in an expression: `spec` and `size` in `self.spec.size`, also in `has(...)` and `self[?'size']`. */
export function selectedNames(expr: Expr): ReadonlySet<string> {
  return new Set(
    nodesOfExpression(expr).flatMap(({ node }) => {
      if (node.kind === 'select') return [node.field];
      return node.kind === 'literal' && typeof node.value === 'string' ? [node.value] : [];
    }),
  );
}

/** Returns the names that are selected in an expression, and that no `has(...)` in it tests: reading them fails where they are missing. */
export function uncheckedNames(expr: Expr): ReadonlySet<string> {
  const selections = nodesOfExpression(expr).flatMap(({ node }) => (node.kind === 'select' ? [node] : []));
  const tested = new Set(selections.flatMap(({ field, testOnly }) => (testOnly ? [field] : [])));
  return new Set(selections.flatMap(({ field, testOnly }) => (testOnly || tested.has(field) ? [] : [field])));
}
