import type { CheckedExpression } from '../program/compile.js';
import { childrenOf, type Expr } from '../syntax/ast.js';
import { accumulatorName } from '../syntax/expr-factory.js';
import { estimateNode } from './estimate-cost.js';
import type { DeclaredSizes } from './estimated-call.js';
import { type KnownSizes, newKnownSizes, sizeOrUnknown } from './known-sizes.js';
import { cappedProduct } from './uint64.js';

/** The part of an expression that drives its cost. */
export interface DearestPart {
  readonly expr: Expr;
  /** How often it is evaluated at most in one evaluation of the expression. */
  readonly times: bigint;
}

/** A part and how often each evaluation of the one around it evaluates it. */
interface Share {
  readonly expr: Expr;
  readonly turns: bigint;
}

/** Returns the smallest part to which nearly all of an expression's estimated cost belongs; undefined if that is the whole expression. */
export function dearestPart(checked: CheckedExpression, declaredSizes: DeclaredSizes): DearestPart | undefined {
  const costs = new Map<number, bigint>();
  const turns = new Map<number, bigint>();
  const estimateAndKeep = (known: KnownSizes, e: Expr): bigint => {
    const cost = estimateNode(known, e);
    costs.set(e.id, cost);
    if (e.node.kind === 'comprehension') turns.set(e.id, sizeOrUnknown(known, e.node.iterRange).max);
    return cost;
  };
  const total = estimateAndKeep(newKnownSizes(checked, declaredSizes, estimateAndKeep), checked.expr);
  let found: DearestPart | undefined;
  let times = 1n;
  let whole = total;
  for (let next = nextShare(checked.expr); next !== undefined; next = nextShare(next.expr)) {
    times = cappedProduct(times, next.turns);
    whole = costs.get(next.expr.id) ?? 0n;
    if (isWritten(next.expr)) found = { expr: next.expr, times };
  }
  return found;

  function nextShare(expr: Expr): Share | undefined {
    const weightOf = (share: Share): bigint => cappedProduct(share.turns, costs.get(share.expr.id) ?? 0n);
    const shares = sharesOf(expr, turns.get(expr.id) ?? 1n);
    const dearest = shares.reduce<Share | undefined>((most, one) => (most && weightOf(most) >= weightOf(one) ? most : one), undefined);
    return dearest !== undefined && weightOf(dearest) * 10n >= whole * 9n ? dearest : undefined;
  }
}

function sharesOf(expr: Expr, turns: bigint): Share[] {
  if (expr.node.kind !== 'comprehension') return childrenOf(expr).map(child => ({ expr: child, turns: 1n }));
  const { iterRange, accuInit, loopCondition, loopStep, result } = expr.node;
  const once = [iterRange, accuInit, result].map(part => ({ expr: part, turns: 1n }));
  return [...once, { expr: loopStep, turns }, { expr: loopCondition, turns }];
}

/** Reports whether a part is in the text that was written: macros add accumulators. */
function isWritten(expr: Expr): boolean {
  if (['literal', 'ident'].includes(expr.node.kind)) return false;
  return !childrenOf(expr).some(({ node }) => node.kind === 'ident' && node.name === accumulatorName);
}
