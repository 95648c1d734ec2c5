import type { InputFlags, PodOptions } from '../../../../client/options/call-options.js';
import type { KubernetesMinor } from '../../../../kubernetes/kubernetes-version.js';
import type { Content } from '../../../options/output-options.js';
import type { PlanningFlags } from '../../../work/calls/plan-calls.js';
import type { ReviewingFlags } from '../../../work/calls/review-calls.js';
import type { JobsFlags } from '../../../work/calls/shared-calls.js';
import type { PageFlags } from '../../../work/calls/traced-calls.js';
import type { ReadStateFlags } from '../../../work/input/state.js';

/** How reports are printed. */
export interface RenderingFlags extends Pick<PageFlags, 'output'> {
  readonly include?: readonly Content[] | undefined;
  readonly noColor?: boolean | undefined;
}

/** Flags that decide which calls are made, in which state. */
export type ReviewInputFlags = PlanningFlags & ReadStateFlags & PodOptions;

/** Flags of `review`. Functions take the part that they need; only the command itself has all. */
export type ReviewFlags = ReviewInputFlags &
  ReviewingFlags &
  RenderingFlags &
  JobsFlags &
  PageFlags &
  Pick<InputFlags, 'case'> & {
    /** `v1.34:v1.36`: compares two API servers. */
    readonly upgrade?: readonly [from: KubernetesMinor, to: KubernetesMinor] | undefined;
  };
