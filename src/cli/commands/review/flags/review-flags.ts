import type { KubernetesMinor } from '../../../../kubernetes/kubernetes-version.js';
import type { Content } from '../../../options/output-options.js';
import type { ReviewingFlags } from '../../../work/calls/review-calls.js';
import type { JobsFlags } from '../../../work/calls/shared-calls.js';
import type { PageFlags } from '../../../work/calls/traced-calls.js';

/** Flags of `review`. */
export type ReviewFlags = ReviewingFlags &
  JobsFlags &
  PageFlags & {
    readonly createdPods?: boolean | undefined;
    readonly include?: readonly Content[] | undefined;
    /** `v1.34:v1.36`: compares two API servers. */
    readonly upgrade?: readonly [from: KubernetesMinor, to: KubernetesMinor] | undefined;
    readonly noColor?: boolean | undefined;
  };
