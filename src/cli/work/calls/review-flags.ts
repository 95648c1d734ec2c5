import type { ReviewingFlags } from './review-calls.js';
import type { JobsFlags } from './shared-calls.js';
import type { PageFlags } from './traced-calls.js';

/** Flags of `review`. */
export type ReviewFlags = ReviewingFlags &
  JobsFlags &
  PageFlags & {
    readonly createdPods?: boolean | undefined;
    readonly include?: string | undefined;
    /** `v1.34:v1.36`: compares two API servers. */
    readonly upgrade?: string | undefined;
    readonly noColor?: boolean | undefined;
  };
