import { formatPatternLength } from '../library/named-formats.js';
import { celSizeOf } from '../library/standard-functions.js';
import { operators } from '../syntax/operators.js';
import { adapt, foundItemsOf } from '../values/found.js';
import { mapEntries } from '../values/maps.js';
import { celByteLength } from '../values/text.js';
import type { CelValue } from '../values/value.js';
import { type CallCost, type CostedCall, costsOne, regexCost, stringTraversalCostFactor, traversal } from './cost-model.js';

/** Cost of calls of the API server's functions; undefined for those of the language. Source: apiserver pkg/cel/library/cost.go. */
export function kubernetesCallCost(name: string): CallCost | undefined {
  return name === operators.equals ? equalityCost : costs.get(name);
}

const costs: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['check', () => 350_000],
  ...same('serviceAccount path group resource subresource namespace name allowed reason error errored', costsOne),
  ...same('fieldSelector labelSelector', ({ args }) => withAtLeast(args, 2, () => selectorCost(size(args[1])))),
  ...same('isSorted sum max min indexOf lastIndexOf includes', ({ args }) => (args[0] === undefined ? 0 : wholeTraversal(args[0]))),
  ...same('url lowerAscii upperAscii substring trim jsonpatch.escapeKey', firstTraversal),
  ...same('replace split', ({ args }) => withAtLeast(args, 1, () => traversal(size(args[0]) * 2))),
  ['join', ({ args, result }) => withAtLeast(args, 1, () => traversal(size(result) * 2))],
  ...same('find findAll', ({ args }) => withAtLeast(args, 2, () => regexCost(size(args[0]), size(args[1])))),
  ...same('cidr isIP isCIDR quantity isQuantity semver isSemver', firstTraversal),
  ['ip', call => (call.overload === 'cidr_ip' ? 1 : firstTraversal(call))],
  ['ip.isCanonical', ({ args }) => withAtLeast(args, 1, () => traversal(size(args[0]) * 2))],
  ...same('masked isMask prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast', costsOne),
  ['containsIP', containsIpCost],
  ['containsCIDR', containsCidrCost],
  ['validate', validateCost],
  ['format.named', () => 1],
  ...same('sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch', costsOne),
  ...same('getScheme getHostname getHost getPort getEscapedPath getQuery', costsOne),
]);

function same(names: string, cost: CallCost): readonly (readonly [string, CallCost])[] {
  return names.split(' ').map(name => [name, cost]);
}

function withAtLeast(args: readonly CelValue[], count: number, cost: () => number): number | undefined {
  return args.length >= count ? cost() : undefined;
}

function size(value: CelValue | undefined): number {
  return value === undefined ? 1 : (celSizeOf(value) ?? 1);
}

function firstTraversal({ args }: CostedCall): number | undefined {
  return withAtLeast(args, 1, () => traversal(size(args[0])));
}

/** Parsing the selector and building its requirements: one per two characters. */
function selectorCost(length: number): number {
  return 10 + traversal(length) + Math.ceil(Math.ceil(length * 0.5) * 50);
}

function containsIpCost({ args, overload }: CostedCall): number | undefined {
  const text = overload === 'cidr_contains_ip_string' ? traversal(size(args[1])) : 0;
  return withAtLeast(args, 2, () => traversal(size(args[0]) * 2) + text);
}

function containsCidrCost({ args, overload }: CostedCall): number | undefined {
  const text = overload === 'cidr_contains_cidr_string' ? traversal(size(args[1])) : 0;
  return withAtLeast(args, 2, () => traversal(size(args[0]) * 2) + traversal(size(args[0])) + 1 + text);
}

function validateCost({ args: [format, text] }: CostedCall): number | undefined {
  const patternLength = format === undefined || text === undefined ? undefined : formatPatternLength(format);
  return patternLength === undefined ? undefined : regexCost(size(text), patternLength);
}

/** Strings count in bytes here, lists and maps with all their contents. */
function wholeTraversal(value: CelValue): number {
  if (typeof value === 'string') return Math.trunc(celByteLength(value) * stringTraversalCostFactor);
  if (typeof value !== 'object') return 1;
  switch (value.kind) {
    case 'bytes':
      return Math.trunc(value.bytes.length * stringTraversalCostFactor);
    case 'list':
      return foundItemsOf(value).reduce((sum: number, item) => sum + wholeTraversal(item), 0);
    case 'map':
      return mapEntries(value).reduce((sum, [key, inner]) => sum + wholeTraversal(key) + wholeTraversal(adapt(inner)), 0);
    default:
      return 1;
  }
}

function equalityCost({ args }: CostedCall): number | undefined {
  const [first] = args;
  const isUnit = typeof first === 'object' && first.kind === 'extension' && first.unitEqualityCost;
  return args.length === 2 && isUnit ? 1 : undefined;
}
