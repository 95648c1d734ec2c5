import { comparisonOverloads } from '../evaluate/call-cost.js';
import { regexLengthCostFactor, stringTraversalCostFactor } from '../evaluate/cost-model.js';
import { type CallEstimate, computedSize, type EstimatedArgument, type EstimatedCall } from './estimated-call.js';
import { costOfSize, exactSize, type SizeEstimate, sumOfSizes } from './size-estimate.js';
import { cappedProduct, scaledUp, smallerOf, wrappedUint64 } from './uint64.js';

/** Estimates the cost of a call by the rules of the language; the default is one. Source: cel-go checker/cost.go functionCost. */
export function languageCallEstimate(call: EstimatedCall): CallEstimate {
  return (call.target === undefined ? globalEstimate(call) : memberEstimate(call, call.target)) ?? { cost: 1n };
}

/** Cost of matching a string with a pattern. An empty string has a cost, too. */
export function matchingEstimate(text: SizeEstimate, pattern: SizeEstimate): bigint {
  const textCost = traversalEstimate(sumOfSizes(text, exactSize(1n)));
  return cappedProduct(textCost, costOfSize(pattern, regexLengthCostFactor));
}

/** Cost of traversing a string once. */
export function traversalEstimate(size: SizeEstimate): bigint {
  return costOfSize(size, stringTraversalCostFactor);
}

function memberEstimate({ overload, args }: EstimatedCall, target: EstimatedArgument): CallEstimate | undefined {
  const [first] = args;
  switch (overload) {
    case 'string_format':
      return { cost: traversalEstimate(computedSize(target)) };
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: traversalEstimate(computedSize(first)) };
    case 'matches_string':
      return { cost: matchingEstimate(computedSize(target), computedSize(first)) };
    case 'contains_string':
      return { cost: cappedProduct(traversalEstimate(computedSize(target)), traversalEstimate(computedSize(first))) };
    default:
      return undefined;
  }
}

function globalEstimate({ overload, args: [first, second] }: EstimatedCall): CallEstimate | undefined {
  const size = computedSize(first);
  const { min, max } = size;
  switch (overload) {
    // A character has up to four bytes, in either direction.
    case 'string_to_bytes':
      return { cost: traversalEstimate(size), size: { min, max: wrappedUint64(max * 4n) } };
    case 'bytes_to_string':
      return { cost: traversalEstimate(size), size: { min: min / 4n, max } };
    // Every character may be escaped, plus two quotation marks.
    case 'strings_quote':
      return { cost: traversalEstimate(size), size: { min: wrappedUint64(min + 2n), max: wrappedUint64(max * 2n + 2n) } };
    case 'in_list':
      return { cost: costOfSize(computedSize(second), 1) };
    case 'add_list':
      return { cost: 1n, size: sumOfSizes(size, computedSize(second)) };
    case 'add_string':
    case 'add_bytes': {
      const sum = sumOfSizes(size, computedSize(second));
      return { cost: traversalEstimate(sum), size: sum };
    }
    default:
      return comparisonOverloads.has(overload)
        ? { cost: scaledUp(smallerOf(max, computedSize(second).max), stringTraversalCostFactor) }
        : undefined;
  }
}
