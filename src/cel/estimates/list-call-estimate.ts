import { type CallEstimate, type EstimatedArgument, type EstimatedCall, sizeOfArgument } from './estimated-call.js';
import { costOfSize, exactSize, productOfSizes, type SizeEstimate } from './size-estimate.js';
import { cappedSum, maxUint64, scaledUp, wrapped } from './uint64.js';

/** Estimates the cost of calls of the list and set libraries; undefined for others. Source: cel-go ext/lists.go, ext/sets.go. */
export function listCallEstimate(call: EstimatedCall): CallEstimate | undefined {
  return call.target === undefined ? globalEstimate(call) : memberEstimate(call, call.target);
}

function memberEstimate(call: EstimatedCall, target: EstimatedArgument): CallEstimate | undefined {
  const { overload, args } = call;
  const [first, second] = args;
  const size = (): SizeEstimate => sizeOfArgument(target, call);
  switch (overload) {
    case 'list_slice':
      return allocating(1, exactSize(wrapped(literalInteger(second, size().max) - literalInteger(first, 0n))));
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
  const factor = setFactors[call.overload];
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
