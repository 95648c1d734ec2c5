import { sizeOf } from '../library/standard-functions.js';
import { operators } from '../syntax/operators.js';
import type { CelValue } from '../values/value.js';
import { kubernetesCallCost } from './kubernetes-call-cost.js';
import { listCallCost } from './list-call-cost.js';

/** A call whose cost is asked for. */
export interface CostedCall {
  readonly function: string;
  /** Empty when several signatures fit. */
  readonly overload: string;
  readonly args: readonly CelValue[];
  readonly result: CelValue;
}

/** What a call cost: by its signature, by its name, or by the rules of the language. Source: cel-go runtimecost.go costCall. */
export function callCost(call: CostedCall): number {
  return listCallCost(call) ?? kubernetesCallCost(call) ?? languageCost(call);
}

/** Going through a text costs a tenth for each character. */
export function traversal(size: number): number {
  return Math.ceil(size * stringTraversalCostFactor);
}

/** Matching costs the text times the pattern. */
export function regexCost(textSize: number, patternSize: number): number {
  return Math.ceil((1 + textSize) * stringTraversalCostFactor) * Math.ceil(patternSize * 0.25);
}

export const stringTraversalCostFactor = 0.1;

function languageCost({ overload, args }: CostedCall): number {
  const first = actualSize(args[0]);
  const second = actualSize(args[1]);
  switch (overload) {
    case 'starts_with_string':
    case 'ends_with_string':
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'strings_quote':
    case 'string_format':
      return traversal(first);
    case 'in_list':
      return second;
    case 'add_string':
    case 'add_bytes':
      return traversal(first + second);
    case 'matches_string':
      return regexCost(first, second);
    case 'contains_string':
      return traversal(first) * traversal(second);
    default:
      return comparisons.has(overload) ? traversal(Math.min(first, second)) : 1;
  }
}

const comparisons: ReadonlySet<string> = new Set([
  'less_string',
  'greater_string',
  'less_equals_string',
  'greater_equals_string',
  'less_bytes',
  'greater_bytes',
  'less_equals_bytes',
  'greater_equals_bytes',
  'equals',
  'not_equals',
]);

/** What has no size counts as one; an optional counts as what it holds. */
function actualSize(value: CelValue | undefined): number {
  if (value === undefined) return 1;
  if (typeof value === 'object' && value.kind === 'optional' && value.value !== undefined) return actualSize(value.value);
  return sizeOf(value) ?? 1;
}

/** Is this the comparison with `==`? */
export function isEquality({ function: name, args }: CostedCall): boolean {
  return name === operators.equals && args.length === 2;
}
