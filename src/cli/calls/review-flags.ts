import type { ReviewingFlags } from './review-calls.js';
import type { JobsFlags } from './threads/shared-calls.js';

/** Flags of `review`. */
export type ReviewFlags = ReviewingFlags &
  JobsFlags & {
    readonly createdPods?: boolean | undefined;
    readonly output?: string | undefined;
    readonly include?: string | undefined;
    /** `v1.34:v1.36`: compares two API servers. */
    readonly upgrade?: string | undefined;
    readonly noColor?: boolean | undefined;
    /** Shows the calls in the browser. */
    readonly open?: boolean | undefined;
    /** Returns the version of this program. */
    readonly toolVersion?: (() => string) | undefined;
  };
