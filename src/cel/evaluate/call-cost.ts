import { sizeOf } from '../library/standard-functions.js';
import type { CelValue } from '../values/value.js';
import { type CostedCall, regexCost, traversal } from './cost-model.js';
import { kubernetesCallCost } from './kubernetes-call-cost.js';
import { listCallCost } from './list-call-cost.js';

/**
 * Returns the cost function of a call: by overload, by function name, or by the language's rules. Source: cel-go runtimecost.go costCall.
 */
export function callCostOf(name: string, overload: string): (call: CostedCall) => number {
  const ofList = listCallCost(overload);
  const ofKubernetes = kubernetesCallCost(name);
  const ofLanguage = languageCallCost(overload);
  if (ofList === undefined && ofKubernetes === undefined) return ofLanguage;
  return call => ofList?.(call) ?? ofKubernetes?.(call) ?? ofLanguage(call);
}

/** The cost of a call of one of the language's own overloads. It is chosen when the call is planned: loops make millions of calls. */
function languageCallCost(overload: string): (call: CostedCall) => number {
  switch (overload) {
    case 'starts_with_string':
    case 'ends_with_string':
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'strings_quote':
    case 'string_format':
      return ({ args }) => traversal(actualSize(args[0]));
    case 'in_list':
      return ({ args }) => actualSize(args[1]);
    case 'add_string':
    case 'add_bytes':
      return ({ args }) => traversal(actualSize(args[0]) + actualSize(args[1]));
    case 'matches_string':
      return ({ args }) => regexCost(actualSize(args[0]), actualSize(args[1]));
    case 'contains_string':
      return ({ args }) => traversal(actualSize(args[0])) * traversal(actualSize(args[1]));
    default:
      return comparisonOverloads.has(overload) ? ({ args }) => traversal(Math.min(actualSize(args[0]), actualSize(args[1]))) : () => 1;
  }
}

/** Overloads that compare two values: the cost is that of traversing the shorter one. */
export const comparisonOverloads: ReadonlySet<string> = new Set([
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

/** Values without a size count as one; an optional counts as its value. */
function actualSize(value: CelValue | undefined): number {
  if (value === undefined) return 1;
  if (typeof value === 'object' && value.kind === 'optional' && value.value !== undefined) return actualSize(value.value);
  return sizeOf(value) ?? 1;
}
