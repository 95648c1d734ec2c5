import type { ClusterState } from '../../kubernetes/api-call.js';
import type { CliError } from '../cli-error.js';
import type { PlannedCall } from './planned-call.js';

/** Step without a call, and the reason. */
export interface SkippedStep {
  readonly skipped: string;
}

/** One document of the input: a call, once it is known what exists. */
export interface CallStep {
  /** Plans the call in the state as earlier calls left it. Throws CliError for input that cannot be used. */
  readonly plan: (state: ClusterState) => PlannedCall | SkippedStep | Promise<PlannedCall | SkippedStep>;
}

/** Returns the step of input that cannot be used. */
export function unusableStep(error: CliError): CallStep {
  return {
    plan: () => {
      throw error;
    },
  };
}
