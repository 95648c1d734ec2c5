import type { CallNode, Expr } from '../syntax/ast.js';
import { accumulatorName } from '../syntax/expr-factory.js';
import { costOf } from './estimate-cost.js';
import { type CallEstimate, computedSize, type EstimatedArgument, type EstimatedCall } from './estimated-call.js';
import {
  eitherEntries,
  entriesOfExpr,
  extendPath,
  type KnownSizes,
  pathOfExpr,
  setEntries,
  setSize,
  sizeOfExpr,
  typeOfExpr,
} from './known-sizes.js';
import { kubernetesCallEstimate } from './kubernetes-call-estimate.js';
import { languageCallEstimate } from './language-call-estimate.js';
import { listCallEstimate } from './list-call-estimate.js';
import { eitherSize, type SizeEstimate } from './size-estimate.js';
import { cappedSum, greaterOf } from './uint64.js';

/** What a call with its arguments may cost: as much as the dearest of the signatures that fit. Source: cel-go checker/cost.go costCall. */
export function estimateCall(known: KnownSizes, e: Expr, node: CallNode): bigint {
  if (node.function === 'dyn' && node.args[0] !== undefined) return costOfDyn(known, e, node.args[0]);
  const argCosts: bigint[] = [];
  const args = node.args.map(argument => {
    argCosts.push(costOf(known, argument));
    return argumentOf(known, argument);
  });
  const reference = known.checked.references.get(e.id);
  if (reference?.kind !== 'function') return 0n;
  const targetCost = node.target === undefined ? 0n : costOf(known, node.target);
  const target = node.target && argumentOf(known, node.target);
  const call = { function: node.function, target, args, declaredSizes: known.declaredSizes };
  let cost = 0n;
  let size: SizeEstimate | undefined;
  for (const overload of reference.overloads) {
    const estimate = estimateOverload(known, e, { call: { ...call, overload }, argCosts });
    cost = greaterOf(cost, estimate.cost);
    if (estimate.size !== undefined) size = size === undefined ? estimate.size : eitherSize(size, estimate.size);
    const step = steps[overload];
    if (step !== undefined && node.args[0] !== undefined) {
      size = entriesOfExpr(known, node.args[0])?.value;
      extendPath(known, e, { from: node.args[0], step });
    }
    size ??= sizeOfExpr(known, e);
  }
  setSize(known, e, size);
  return cappedSum(targetCost, cost);
}

/** Steps into lists and maps: `list[0]`, `map['key']`. */
const steps: Readonly<Record<string, string>> = { index_list: '@items', index_map: '@values' };

/** `dyn(x)` only hides the type of x. */
function costOfDyn(known: KnownSizes, e: Expr, argument: Expr): bigint {
  const cost = costOf(known, argument);
  setSize(known, e, sizeOfExpr(known, argument));
  setEntries(known, e, entriesOfExpr(known, argument));
  return cappedSum(1n, cost);
}

/** What macros accumulate is reached from no variable. */
function argumentOf(known: KnownSizes, expr: Expr): EstimatedArgument {
  const path = pathOfExpr(known, expr);
  const isAccumulated = path?.memory[0] === accumulatorName;
  return { expr, type: typeOfExpr(known, expr), path: isAccumulated ? undefined : path, size: sizeOfExpr(known, expr) };
}

interface OverloadCall {
  readonly call: EstimatedCall;
  readonly argCosts: readonly bigint[];
}

function estimateOverload(known: KnownSizes, e: Expr, { call, argCosts }: OverloadCall): CallEstimate {
  const [first, second, third] = call.args;
  switch (call.overload) {
    case 'logical_and':
    case 'logical_or':
      return { cost: cappedSum(...argCosts) };
    case 'conditional': {
      setEitherEntries(known, e, second, third);
      const [condition = 0n, whenTrue = 0n, whenFalse = 0n] = argCosts;
      return { cost: cappedSum(condition, greaterOf(whenTrue, whenFalse)), size: eitherSize(computedSize(second), computedSize(third)) };
    }
    case 'add_string':
    case 'add_bytes':
    case 'add_list':
      setEitherEntries(known, e, first, second);
  }
  const { cost, size } = listCallEstimate(call) ?? kubernetesCallEstimate(call) ?? languageCallEstimate(call);
  return { cost: cappedSum(cost, ...argCosts), size };
}

function setEitherEntries(known: KnownSizes, e: Expr, a: EstimatedArgument | undefined, b: EstimatedArgument | undefined): void {
  const entries = (argument: EstimatedArgument | undefined) => argument?.expr && entriesOfExpr(known, argument.expr);
  setEntries(known, e, eitherEntries(entries(a), entries(b)));
}
