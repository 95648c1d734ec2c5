import type { SizeEstimate } from './size-estimate.js';
import { cappedProduct, cappedSum, maxUint64 } from './uint64.js';

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
