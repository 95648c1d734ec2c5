import { celSizeOf } from '../library/standard-functions.js';
import { itemAt } from '../values/found.js';
import { GoPanic } from '../values/go-panic.js';
import { goTypeOfCel } from '../values/printed.js';
import { traits } from '../values/type.js';
import { hasTrait } from '../values/type-of.js';
import { type CelValue, isCelListValue } from '../values/value.js';
import { type CallCost, type CostedCall, costsOne, regexCost, traversal } from './cost-model.js';
import { kubernetesCallCost } from './kubernetes-call-cost.js';

/**
 * Returns the cost function of a call: by overload, by function name, or by the language's rules. Source: cel-go runtimecost.go costCall.
 */
export function callCostOf(name: string, overload: string): (call: CostedCall) => number {
  const ofList = listCallCost(overload);
  const ofKubernetes = kubernetesCallCost(name);
  const ofLanguage = languageCallCost(overload);
  if (ofList === undefined && ofKubernetes === undefined) return ofLanguage;
  if (ofList === undefined && ofKubernetes === costsOne) return costsOne;
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
      return comparisonOverloads.has(overload) ? ({ args }) => traversal(Math.min(actualSize(args[0]), actualSize(args[1]))) : costsOne;
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
  return celSizeOf(value) ?? 1;
}

/** Cost of calls of an overload of the list and set libraries; undefined for others. Source: cel-go ext/lists.go, ext/sets.go. */
function listCallCost(overload: string): CallCost | undefined {
  if (/^list_.*_sort$/.test(overload)) return ({ args }) => comparingAll(args[0]);
  return overload.endsWith('_sortByAssociatedKeys') ? ({ args }) => comparingAll(args[1]) : costs.get(overload);
}

const ofResult: CallCost = ({ result }) => allocating(1, size(result));
const ofBoth: CallCost = ({ args }) => 1 + size(args[0]) * size(args[1]);

/** These throw GoPanic for values that are not lists. */
const costs: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['list_slice', ofResult],
  ['lists_range', ofResult],
  ['list_reverse', ofResult],
  ['list_flatten', ({ args }) => allocating(1, size(args[0]))],
  ['list_flatten_int', ({ args }) => allocating(depthOf(args[1]), size(args[0]))],
  ['list_distinct', ({ args }) => comparingAll(args[0])],
  ['list_sets_contains_list', ofBoth],
  ['list_sets_intersects_list', ofBoth],
  ['list_sets_equivalent_list', ({ args }) => 1 + size(args[0]) * size(args[1]) * 2],
]);

const listCreateBaseCost = 10;

function allocating(factor: number, count: number): number {
  return unsigned(count * factor) + 1 + listCreateBaseCost;
}

/** Go's conversion of a negative float64 to uint64 wraps around: the sum is far beyond any limit, or small again. */
function unsigned(value: number): number {
  return value >= 0 ? Math.trunc(value) : Number(BigInt.asUintN(64, BigInt(Math.trunc(value)) + 11n)) - 11;
}

/** Every element is compared with every other one; strings cost slightly more. */
function comparingAll(list: CelValue | undefined): number {
  if (list === undefined || !isCelListValue(list)) throw noList(list ?? '');
  const count = size(list);
  if (count === 0) return allocating(2, 0);
  const first = itemAt(list, 0);
  const isText = typeof first === 'string' || (typeof first === 'object' && first.kind === 'bytes');
  return allocating(isText ? 2.1 : 2, count * count);
}

function size(value: CelValue | undefined): number {
  return value === undefined ? 1 : (celSizeOf(value) ?? 1);
}

function depthOf(depth: CelValue | undefined): number {
  if (typeof depth === 'bigint') return Number(depth);
  throw new GoPanic(`interface conversion: ref.Val is ${goTypeOfCel(depth ?? '')}, not types.Int`);
}

/** Go names the first missing method. */
function noList(value: CelValue): GoPanic {
  const missing = hasTrait(value, traits.adder) ? 'Contains' : 'Add';
  return new GoPanic(`interface conversion: ${goTypeOfCel(value)} is not traits.Lister: missing method ${missing}`);
}
