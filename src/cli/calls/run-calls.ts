import { NotReproduced } from '../../apiserver/admission/not-reproduced.js';
import { handleCall } from '../../apiserver/handle-call.js';
import type { Report } from '../../apiserver/report.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import { lazy } from '../../kubernetes/memoize.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import type { CallReport } from '../../reports/call-report.js';
import { kubectlLines } from '../../reports/kubectl-lines.js';
import { CliError } from '../cli-error.js';
import { recorded } from '../webhooks/connection.js';
import { leniencyNotes } from './leniency.js';
import type { Plan } from './plan.js';

/** What the calls of one command need besides themselves. */
export interface CallSurroundings {
  readonly state: ClusterState;
  readonly callWebhook: CallWebhook;
  /** The effects of one call, given how it reaches webhooks. */
  readonly effects: (callWebhook: CallWebhook) => Effects;
  /** Said in every report. */
  readonly notes: readonly string[];
}

/** Makes the calls one after another, each in the same cluster: none sees what another did. */
export async function runCalls({ calls }: Plan, { state, callWebhook, effects, notes }: CallSurroundings): Promise<CallReport[]> {
  const made: Omit<CallReport, 'kubectl'>[] = [];
  for (const { call, command, notes: own = [] } of calls) {
    const { callWebhook: recording, exchanges } = recorded(callWebhook);
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

/** Makes one call. Throws CliError for what is not reproduced. */
export async function answeredCall(call: ApiCall, state: ClusterState, effects: Effects): Promise<Report> {
  try {
    return await handleCall(call, state, effects);
  } catch (error) {
    if (error instanceof NotReproduced)
      throw new CliError('not-there-yet', `${call.method} ${call.path.split('?', 1)[0]}: ${error.message}`, { cause: error });
    throw error;
  }
}
