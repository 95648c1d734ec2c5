import type { ComprehensionNode, Expr } from '../syntax/ast.js';
import { extended } from './access-path.js';
import {
  costOf,
  entriesOfExpr,
  type KnownSizes,
  type LocalVariable,
  localFor,
  pathOfExpr,
  popLocal,
  pushLocal,
  setEntries,
  setSize,
  sizeOfExpr,
  sizeOrUnknown,
  typeOfExpr,
} from './known-sizes.js';
import { cappedProduct, cappedSum } from './uint64.js';

/**
 * Estimates the maximum cost of a comprehension: the cost of a step times the maximum size of the range. Source: cel-go checker/cost.go
 * costComprehension.
 */
export function estimateComprehension(known: KnownSizes, e: Expr, node: ComprehensionNode): bigint {
  if (isBinding(node)) return costOfBinding(known, e, node);
  const before = cappedSum(costOf(known, node.iterRange), costOf(known, node.accuInit));
  pushLocal(known, node.accuVar, localFor(known, node.accuInit));
  const variables = pushVariables(known, node);
  const turn = cappedSum(costOf(known, node.loopCondition), costOf(known, node.loopStep));
  for (const name of variables) popLocal(known, name);
  const after = costOf(known, node.result);
  popLocal(known, node.accuVar);
  const turns = sizeOrUnknown(known, node.iterRange);
  setResult(known, e, node);
  return cappedSum(before, after, cappedProduct(turns.max, turn));
}

/** `cel.bind` and `optMap` are comprehensions with no iterations. */
function isBinding({ iterRange, loopCondition }: ComprehensionNode): boolean {
  const isEmpty = iterRange.node.kind === 'list' && iterRange.node.elements.length === 0;
  return isEmpty && loopCondition.node.kind === 'literal' && loopCondition.node.value === false;
}

function costOfBinding(known: KnownSizes, e: Expr, { iterRange, accuInit, accuVar, result }: ComprehensionNode): bigint {
  const before = cappedSum(costOf(known, iterRange), costOf(known, accuInit));
  pushLocal(known, accuVar, localFor(known, accuInit));
  const after = costOf(known, result);
  popLocal(known, accuVar);
  setSize(known, e, sizeOfExpr(known, result));
  setEntries(known, e, entriesOfExpr(known, result));
  return cappedSum(before, after);
}

/**
 * Declares the loop variables and returns their names. If the range has the same name as the first variable, the second is resolved against
 * the first.
 */
function pushVariables(known: KnownSizes, { iterRange, iterVar, iterVar2 }: ComprehensionNode): readonly string[] {
  if (iterVar2 === undefined) {
    pushLocal(known, iterVar, loopVariable(known, iterRange, isList(known, iterRange) ? 'value' : 'key'));
    return [iterVar];
  }
  pushLocal(known, iterVar, loopVariable(known, iterRange, 'key'));
  pushLocal(known, iterVar2, loopVariable(known, iterRange, 'value'));
  return [iterVar, iterVar2];
}

function loopVariable(known: KnownSizes, range: Expr, part: 'key' | 'value'): LocalVariable {
  const step = isList(known, range) ? listSteps[part] : mapSteps[part];
  return { path: extended(pathOfExpr(known, range), step), size: entriesOfExpr(known, range)?.[part], entries: undefined };
}

const listSteps = { key: '@indices', value: '@items' } as const;
const mapSteps = { key: '@keys', value: '@values' } as const;

function isList(known: KnownSizes, range: Expr): boolean {
  return (entriesOfExpr(known, range)?.container ?? typeOfExpr(known, range).kind) === 'list';
}

/** A list or map built by the comprehension has the size of its range. */
function setResult(known: KnownSizes, e: Expr, { accuInit, iterRange, loopStep }: ComprehensionNode): void {
  if (accuInit.node.kind === 'literal') setSize(known, e, sizeOfExpr(known, accuInit));
  if (accuInit.node.kind !== 'list' && accuInit.node.kind !== 'map') return;
  setSize(known, e, sizeOrUnknown(known, iterRange));
  setEntries(known, e, entriesOfExpr(known, loopStep));
}
