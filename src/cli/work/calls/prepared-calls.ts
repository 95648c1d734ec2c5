import type { StepResult } from '../../../client/run/step-result.js';
import type { ResultRendering } from './rendered-results.js';

/** The calls of a command, read and planned. Nothing has been sent. */
export interface PreparedCalls {
  readonly total: number;
  /** Why they cannot be made in several threads. */
  readonly whyOneThread?: string | undefined;
  /** Makes the calls, or only those with these numbers. Can be called once. */
  readonly results: (part?: Iterable<number>) => AsyncIterable<StepResult>;
  readonly rendering: ResultRendering;
}
