import { textDifference } from './answer.js';

/** Review in a recorded case. */
export interface RecordedReview {
  readonly phase: string;
  readonly webhook?: string;
  readonly configuration?: string;
  readonly path?: string;
  readonly timeout?: string;
  readonly body: string;
  /** Pointers of this review; those of the case if absent. */
  readonly volatile?: readonly string[];
}

/** A review the project sent. */
export interface ProducedReview {
  readonly phase?: string | undefined;
  readonly webhook?: string | undefined;
  readonly configuration?: string | undefined;
  readonly path?: string | undefined;
  readonly timeout?: string | undefined;
  readonly body: string | undefined;
}

export type ReviewKey = 'phase' | 'webhook' | 'configuration' | 'path' | 'timeout';

/** The reviews of a case, and their common volatile pointers. */
export interface RecordedReviews {
  readonly reviews?: readonly RecordedReview[];
  readonly volatile?: readonly string[];
}

/** Describes how reviews differ, in order: their number, the compared keys, their bodies byte for byte; undefined if they do not. */
export function reviewsDifference(
  recorded: RecordedReviews,
  produced: readonly ProducedReview[],
  keys: readonly ReviewKey[] = ['phase', 'webhook'],
): string | undefined {
  const { reviews = [], volatile = [] } = recorded;
  if (reviews.length !== produced.length) return `${reviews.length} reviews recorded, ${produced.length} produced`;
  for (const [i, review] of reviews.entries()) {
    const other = produced[i];
    const difference = other && reviewDifference({ volatile, ...review }, other, keys);
    if (difference !== undefined) return `review ${i}: ${difference}`;
  }
  return undefined;
}

/** Describes how one review differs; undefined if it does not. */
export function reviewDifference(recorded: RecordedReview, produced: ProducedReview, keys: readonly ReviewKey[]): string | undefined {
  for (const key of keys) {
    const wanted = recorded[key];
    // Some paths were recorded without their timeout.
    const shortened = key === 'path' && recorded.phase !== 'conversion' && wanted?.includes('?') === false;
    const found = shortened ? produced[key]?.split('?')[0] : produced[key];
    if (wanted !== undefined && wanted !== found) return `${key} recorded ${wanted}, produced ${found ?? 'none'}`;
  }
  return textDifference(recorded.webhook ?? recorded.phase, { recorded: recorded.body, produced: produced.body }, recorded.volatile);
}
