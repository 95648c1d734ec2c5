import { operators } from '../syntax/operators.js';
import { copiedAndExtended } from './access-path.js';
import { type CallEstimate, type EstimatedArgument, type EstimatedCall, sizeOfArgument } from './estimated-call.js';
import { matchingEstimate, traversalEstimate } from './language-call-estimate.js';
import { costOfSize, exactSize, productOfSizes, type SizeEstimate, sumOfSizes } from './size-estimate.js';
import { cappedProduct, cappedSum, maxUint64, scaledUp, wrappedUint64 } from './uint64.js';

/**
 * Estimates the cost of calls of the API server's functions; undefined for those of the language. Functions of the authorizer are missing:
 * no environment with cost estimates has an authorizer. Source: apiserver pkg/cel/library/cost.go EstimateCallCost.
 */
export function kubernetesCallEstimate(call: EstimatedCall): CallEstimate | undefined {
  return call.function === operators.equals ? equalityEstimate(call) : estimates.get(call.function)?.(call);
}

type Estimate = (call: EstimatedCall) => CallEstimate | undefined;

const estimates: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ...same('isSorted sum max min indexOf lastIndexOf includes', onTarget(goingThrough)),
  ['url', onFirst(keepingSize)],
  ...same('lowerAscii upperAscii substring trim', onTarget(keepingSize)),
  ['replace', onTarget(replacing)],
  ['split', onTarget(splitting)],
  ['join', onTarget(joining)],
  ...same('find findAll', onTarget(finding)),
  ...same('cidr isIP isCIDR quantity isQuantity semver isSemver', onFirst(reading)),
  ['ip', call => (call.overload === 'cidr_ip' ? nominal : onFirst(reading)(call))],
  ['ip.isCanonical', onFirst((text, call) => ({ cost: twice(sizeOfArgument(text, call)) }))],
  ['containsIP', onFirst((other, call) => ({ cost: cappedSum(4n, textOnly('cidr_contains_ip_string', other, call)) }))],
  // Adds the cost of masking the range and comparing the prefix lengths.
  ['containsCIDR', onFirst((other, call) => ({ cost: cappedSum(7n, textOnly('cidr_contains_cidr_string', other, call)) }))],
  ['validate', onFirst(validating)],
  ...same(
    'masked isMask prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast',
    () => nominal,
  ),
  ...same('sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch', () => nominal),
  ...same('getScheme getHostname getHost getPort getEscapedPath getQuery format.named', () => nominal),
]);

const nominal: CallEstimate = { cost: 1n };

function same(names: string, estimate: Estimate): readonly (readonly [string, Estimate])[] {
  return names.split(' ').map(name => [name, estimate]);
}

type EstimateOfArgument = (argument: EstimatedArgument, call: EstimatedCall) => CallEstimate | undefined;

function onTarget(estimate: EstimateOfArgument): Estimate {
  return call => call.target && estimate(call.target, call);
}

function onFirst(estimate: EstimateOfArgument): Estimate {
  return call => call.args[0] && estimate(call.args[0], call);
}

/** One per element, plus the traversal of strings. */
function goingThrough(target: EstimatedArgument, call: EstimatedCall): CallEstimate {
  const size = sizeOfArgument(target, call);
  const element = elementOf(target);
  if (element === undefined) return { cost: traversalEstimate(size) };
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
  return { cost: cappedProduct(size.max, isText ? cappedSum(1n, traversalEstimate(sizeOfArgument(element, call))) : 1n) };
}

function reading(text: EstimatedArgument, call: EstimatedCall): CallEstimate {
  return { cost: traversalEstimate(sizeOfArgument(text, call)) };
}

function keepingSize(text: EstimatedArgument, call: EstimatedCall): CallEstimate {
  const size = sizeOfArgument(text, call);
  return { cost: traversalEstimate(size), size };
}

/** Traversing a string and building another one. */
function twice(size: SizeEstimate): bigint {
  return costOfSize(size, 0.2);
}

function replacing(target: EstimatedArgument, call: EstimatedCall): CallEstimate | undefined {
  const [replaced, replacement] = call.args;
  if (replaced === undefined || replacement === undefined) return undefined;
  const size = sizeOfArgument(target, call);
  return { cost: twice(size), size: replacedSize(size, sizeOfArgument(replaced, call), sizeOfArgument(replacement, call)) };
}

/** At most one part per character, or as many as the limit allows. */
function splitting(target: EstimatedArgument, call: EstimatedCall): CallEstimate {
  const size = sizeOfArgument(target, call);
  const limit = call.args[1]?.expr?.node;
  const max = limit?.kind === 'literal' && typeof limit.value === 'bigint' ? wrappedUint64(limit.value) : size.max;
  return { cost: twice(size), size: { min: 0n, max } };
}

function joining(target: EstimatedArgument, call: EstimatedCall): CallEstimate {
  const count = sizeOfArgument(target, call);
  const element = elementOf(target);
  const [separator] = call.args;
  let size = element === undefined ? exactSize(0n) : productOfSizes(count, sizeOfArgument(element, call));
  if (separator !== undefined) {
    const between = { min: oneLess(count.min), max: oneLess(count.max) };
    size = sumOfSizes(size, productOfSizes(sizeOfArgument(separator, call), between));
  }
  return { cost: traversalEstimate(size), size };
}

function oneLess(count: bigint): bigint {
  return count > 0n ? count - 1n : 0n;
}

/** Every character may be a match of its own. */
function finding(target: EstimatedArgument, call: EstimatedCall): CallEstimate | undefined {
  const [pattern] = call.args;
  if (pattern === undefined) return undefined;
  const size = sizeOfArgument(target, call);
  return { cost: matchingEstimate(size, sizeOfArgument(pattern, call)), size: { min: 0n, max: size.max } };
}

/** A string must be parsed before it can be compared. */
function textOnly(overload: string, argument: EstimatedArgument, call: EstimatedCall): bigint {
  return call.overload === overload ? traversalEstimate(sizeOfArgument(argument, call)) : 0n;
}

/** The longest pattern of a named format is assumed to have 128 characters. */
const formatFactor = 128 * 0.25;

function validating(text: EstimatedArgument, call: EstimatedCall): CallEstimate {
  return { cost: scaledUp(traversalEstimate(sizeOfArgument(text, call)), formatFactor) };
}

/** Elements of a list, or keys of a map; undefined for a string. */
function elementOf({ type, path }: EstimatedArgument): EstimatedArgument | undefined {
  const [element] = type.parameters;
  return element && { expr: undefined, type: element, path: path && copiedAndExtended(path, '@items'), size: undefined };
}

/** Values of these types are compared in constant time. */
const comparedAtOnce: ReadonlySet<string> = new Set(['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver']);

/** The name of a format has at most 64 characters; of two URLs the second one counts. */
function equalityEstimate({ args: [left, right] }: EstimatedCall): CallEstimate | undefined {
  if (left === undefined || right === undefined || left.type.name !== right.type.name) return undefined;
  const { name } = left.type;
  if (comparedAtOnce.has(name)) return nominal;
  if (name === 'kubernetes.NamedFormat') return { cost: traversalEstimate(exactSize(64n)) };
  return name === 'kubernetes.URL' ? { cost: traversalEstimate(right.size ?? exactSize(1n)) } : undefined;
}

/** Length of a string after a replacement. Source: apiserver pkg/cel/library/cost.go, the case `replace`. */
export function replacedSize(text: SizeEstimate, replaced: SizeEstimate, replacement: SizeEstimate): SizeEstimate {
  const longest = longestCount(text.max, { replaced: replaced.min, replacement: replacement.max });
  const shortest = shortestCount(text.min, { replaced: replaced.max, replacement: replacement.min });
  return {
    min: cappedSum(cappedProduct(shortest.count, replacement.min), shortest.kept),
    max: cappedSum(cappedProduct(longest.count, replacement.max), longest.kept),
  };
}

interface Parts {
  readonly replaced: bigint;
  readonly replacement: bigint;
}

/** Number of replacements, and how much of the string remains. */
interface Replacements {
  readonly count: bigint;
  readonly kept: bigint;
}

/** The shortest match is replaced by the longest text; an empty match is found around every character. */
function longestCount(length: bigint, { replaced, replacement }: Parts): Replacements {
  if (replaced === 0n) return { count: cappedSum(length, 1n), kept: length };
  if (replacement <= replaced) return { count: 0n, kept: length };
  return { count: quotientUp(length, replaced), kept: 0n };
}

/** The longest match is replaced by the shortest text. */
function shortestCount(length: bigint, { replaced, replacement }: Parts): Replacements {
  if (replaced === 0n) return { count: cappedSum(length, 1n), kept: length };
  if (replaced <= replacement) return { count: 0n, kept: length };
  return { count: quotientUp(length, replaced), kept: 0n };
}

/** A floating-point quotient, rounded up. Values beyond uint64 become 2^63, as on the processors API servers run on. */
function quotientUp(length: bigint, part: bigint): bigint {
  const quotient = BigInt(Math.ceil(Number(length) / Number(part)));
  return quotient > maxUint64 ? 2n ** 63n : quotient;
}
