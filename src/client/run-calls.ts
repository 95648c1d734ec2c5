import { NotReproduced } from '../apiserver/admission/not-reproduced.js';
import { handleCall } from '../apiserver/handle-call.js';
import type { Report } from '../apiserver/report.js';
import type { ApiCall, ClusterState } from '../kubernetes/api-call.js';
import type { Effects } from '../kubernetes/effects.js';
import { lazy } from '../kubernetes/memoize.js';
import type { CallWebhook } from '../kubernetes/webhook-call.js';
import type { CallReport } from './call-report.js';
import type { PlannedCall } from './calls/planned-call.js';
import { CliError } from './cli-error.js';
import { kubectlLines } from './kubectl-lines.js';
import { leniencyNotes } from './leniency.js';
import { recordExchanges } from './recorded-exchanges.js';

/** Context of the calls of one command. */
export interface CallSurroundings {
  readonly state: ClusterState;
  readonly callWebhook: CallWebhook;
  /** Side effects of one call, given how webhooks are called. */
  readonly effects: (callWebhook: CallWebhook) => Effects;
  /** Notes in every report. */
  readonly notes: readonly string[];
}

/** Makes the calls sequentially, each in the same state: none sees changes of another. */
export async function runCalls(
  calls: readonly PlannedCall[],
  { state, callWebhook, effects, notes }: CallSurroundings,
): Promise<CallReport[]> {
  const made: Omit<CallReport, 'kubectl'>[] = [];
  for (const { call, command, notes: own = [] } of calls) {
    const { callWebhook: recording, exchanges } = recordExchanges(callWebhook);
    const report = await answeredCall(call, state, effects(recording));
    const lenient = await leniencyNotes(report);
    made.push({
      report: { ...report, notes: [...report.notes, ...own, ...lenient, ...notes] },
      command,
      exchanges: exchanges(),
      findings: [],
    });
  }
  const lines = lazy(() => kubectlLines(made));
  return made.map((callReport, i) => ({
    ...callReport,
    get kubectl() {
      return lines()[i] ?? [];
    },
  }));
}

/** Makes one call. Throws CliError for behavior that is not reproduced. */
export async function answeredCall(call: ApiCall, state: ClusterState, effects: Effects): Promise<Report> {
  try {
    return await handleCall(call, state, effects);
  } catch (error) {
    if (error instanceof NotReproduced)
      throw new CliError('not-there-yet', `${call.method} ${call.path.split('?', 1)[0]}: ${error.message}`, { cause: error });
    throw error;
  }
}
