import { ownMember, setOwnMember } from '../go/own-members.js';
/** Counts of milliseconds by bucket. Each bucket is one percent wider than the one before, so that quantiles are exact to one percent. */
export type Histogram = Record<string, number>;

const growth = Math.log(1.01);

/** Values below a hundredth of a millisecond are counted as 0. */
const smallestMs = 0.01;

export function addToHistogram(histogram: Histogram, ms: number): void {
  const bucket = ms < smallestMs ? 'zero' : String(Math.round(Math.log(ms / smallestMs) / growth));
  setOwnMember(histogram, bucket, (ownMember(histogram, bucket) ?? 0) + 1);
}

export function mergedHistogram(a: Histogram, b: Histogram): Histogram {
  const merged = { ...a };
  for (const [bucket, count] of Object.entries(b)) setOwnMember(merged, bucket, (ownMember(merged, bucket) ?? 0) + count);
  return merged;
}

/** Returns quantiles in milliseconds, such as those of 0.5 and 0.99; 0 for an empty histogram. */
export function quantilesOf(histogram: Histogram, shares: readonly number[]): number[] {
  const buckets = Object.entries(histogram)
    .map(([bucket, count]) => ({ ms: bucket === 'zero' ? 0 : smallestMs * Math.exp(Number(bucket) * growth), count }))
    .sort((a, b) => a.ms - b.ms);
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  return shares.map(share => {
    // The nearest rank.
    let left = Math.max(1, Math.ceil(share * total));
    for (const { ms, count } of buckets) {
      left -= count;
      if (left <= 0) return ms;
    }
    return 0;
  });
}
