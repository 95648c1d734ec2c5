import type { ClusterState } from '../../kubernetes/api-call.js';
import type { WebhookExchange } from '../../kubernetes/webhook-call.js';
import type { WrittenObjects } from '../../kubernetes/written-objects.js';
import type { PlannedCall } from '../calls/planned-call.js';
import type { CliError } from '../cli-error.js';
import type { CommandReport } from '../kubectl-lines.js';
import type { CallFinding, CallReport } from './call-report.js';

/** One call before kubectl's lines are known. */
export interface AnsweredStep extends CommandReport {
  readonly planned: PlannedCall;
  readonly exchanges: readonly WebhookExchange[];
  readonly findings: readonly CallFinding[];
}

/** Result of one step: an answered call, input that cannot be used, or nothing to do. */
export type StepResult =
  | {
      readonly outcome: 'answered';
      readonly planned: PlannedCall;
      readonly report: CallReport;
      readonly state: ClusterState;
      /** What earlier calls of the run had written, where it is kept: `state` goes on to change. */
      readonly writtenBefore?: WrittenObjects | undefined;
      /** The report if no other call of the whole run fails; only for the first failure of a part. */
      readonly asOnlyFailure?: CallReport | undefined;
    }
  | { readonly outcome: 'unusable'; readonly error: CliError }
  | { readonly outcome: 'skipped'; readonly reason: string };

/** Result of one step before kubectl's lines are known. */
export type MadeStep =
  | {
      readonly outcome: 'answered';
      readonly made: AnsweredStep;
      readonly state: ClusterState;
      readonly writtenBefore?: WrittenObjects | undefined;
    }
  | Exclude<StepResult, { readonly outcome: 'answered' }>;
