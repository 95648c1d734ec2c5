import { ownMember } from '../../go/own-members.js';
import type { CallNode, Expr } from '../syntax/ast.js';
import { accumulatorName } from '../syntax/expr-factory.js';
import { type CallEstimate, computedSize, type EstimatedArgument, type EstimatedCall, sizeOfArgument } from './estimated-call.js';
import {
  costOf,
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
import { costOfSize, eitherSize, exactSize, productOfSizes, type SizeEstimate } from './size-estimate.js';
import { cappedSum, greaterOf, maxUint64, scaledUp, wrappedUint64 } from './uint64.js';

/**
 * Estimates the maximum cost of a call with its arguments: that of the most expensive matching overload. Source: cel-go checker/cost.go
 * costCall.
 */
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
    const step = ownMember(steps, overload);
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

/** `dyn(x)` only hides the type of x, and adds a cost of 1. */
function costOfDyn(known: KnownSizes, e: Expr, argument: Expr): bigint {
  const cost = costOf(known, argument);
  setSize(known, e, sizeOfExpr(known, argument));
  setEntries(known, e, entriesOfExpr(known, argument));
  return cappedSum(1n, cost);
}

/** A macro's accumulator has no path. */
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

/** Estimates the cost of calls of the list and set libraries; undefined for others. Source: cel-go ext/lists.go, ext/sets.go. */
function listCallEstimate(call: EstimatedCall): CallEstimate | undefined {
  return call.target === undefined ? globalEstimate(call) : memberEstimate(call, call.target);
}

function memberEstimate(call: EstimatedCall, target: EstimatedArgument): CallEstimate | undefined {
  const { overload, args } = call;
  const [first, second] = args;
  const size = (): SizeEstimate => sizeOfArgument(target, call);
  switch (overload) {
    case 'list_slice':
      return allocating(1, exactSize(wrappedUint64(literalInteger(second, size().max) - literalInteger(first, 0n))));
    case 'list_reverse':
      return allocating(1, size());
    case 'list_flatten':
      return allocating(1, size());
    case 'list_flatten_int':
      return allocating(Number(literalInteger(first, maxUint64)), size());
    case 'list_distinct':
      return comparingAll(2, size());
    default:
      if (/^list_.*_sort$/.test(overload)) return comparingAll(sortingFactor(overload), size());
      if (first === undefined || !overload.endsWith('_sortByAssociatedKeys')) return undefined;
      return comparingAll(sortingFactor(overload), sizeOfArgument(first, call));
  }
}

function globalEstimate(call: EstimatedCall): CallEstimate | undefined {
  const [first, second] = call.args;
  if (call.overload === 'lists_range') return allocating(1, exactSize(literalInteger(first, maxUint64)));
  const factor = ownMember(setFactors, call.overload);
  if (factor === undefined || first === undefined || second === undefined) return undefined;
  const pairs = productOfSizes(sizeOfArgument(first, call), sizeOfArgument(second, call));
  return { cost: cappedSum(costOfSize(pairs, factor), 1n) };
}

/** Number of comparisons when each element of one list is compared with each element of the other. */
const setFactors: Readonly<Record<string, number>> = {
  list_sets_contains_list: 1,
  list_sets_intersects_list: 1,
  list_sets_equivalent_list: 2,
};

const listCreateBaseCost = 10n;

function allocating(factor: number, size: SizeEstimate): CallEstimate {
  return { cost: cappedSum(scaledUp(size.max, factor), 1n, listCreateBaseCost), size };
}

/** Every element is compared with every other one; the result is assumed to have the same size. */
function comparingAll(factor: number, size: SizeEstimate): CallEstimate {
  return allocating(factor, productOfSizes(size, size));
}

/** Comparing strings costs slightly more. */
function sortingFactor(overload: string): number {
  return /^list_(?:string|bytes)_/.test(overload) ? 2.1 : 2;
}

/** Value of an integer literal, at least zero; any number otherwise. */
function literalInteger(argument: EstimatedArgument | undefined, otherwise: bigint): bigint {
  const node = argument?.expr?.node;
  if (node?.kind !== 'literal' || typeof node.value !== 'bigint') return otherwise;
  return node.value < 0n ? 0n : node.value;
}
