import type { SizeEstimate } from './size-estimate.js';
import { cappedProduct, cappedSum, greatestUint64 } from './uint64.js';

/** How long a text may be after a part of it was replaced. Source: apiserver pkg/cel/library/cost.go, the case `replace`. */
export function replacedSize(text: SizeEstimate, replaced: SizeEstimate, replacement: SizeEstimate): SizeEstimate {
  const longest = longestCount(text.most, { replaced: replaced.least, replacement: replacement.most });
  const shortest = shortestCount(text.least, { replaced: replaced.most, replacement: replacement.least });
  return {
    least: cappedSum(cappedProduct(shortest.count, replacement.least), shortest.kept),
    most: cappedSum(cappedProduct(longest.count, replacement.most), longest.kept),
  };
}

interface Parts {
  readonly replaced: bigint;
  readonly replacement: bigint;
}

/** How often something is replaced, and how much of the text stays. */
interface Replacements {
  readonly count: bigint;
  readonly kept: bigint;
}

/** The shortest part is replaced by the longest one; an empty part is found around every character. */
function longestCount(length: bigint, { replaced, replacement }: Parts): Replacements {
  if (replaced === 0n) return { count: cappedSum(length, 1n), kept: length };
  if (replacement <= replaced) return { count: 0n, kept: length };
  return { count: quotientUp(length, replaced), kept: 0n };
}

/** The longest part is replaced by the shortest one. */
function shortestCount(length: bigint, { replaced, replacement }: Parts): Replacements {
  if (replaced === 0n) return { count: cappedSum(length, 1n), kept: length };
  if (replaced <= replacement) return { count: 0n, kept: length };
  return { count: quotientUp(length, replaced), kept: 0n };
}

/** A quotient in floating point, rounded up. What is beyond uint64 becomes half of its range, as on the processors API servers run on. */
function quotientUp(length: bigint, part: bigint): bigint {
  const quotient = BigInt(Math.ceil(Number(length) / Number(part)));
  return quotient > greatestUint64 ? 2n ** 63n : quotient;
}
