import type { ClusterState } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { ValueMap } from '../../kubernetes/value.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import type { CallReport } from '../../reports/call-report.js';
import { type CheckName, runChecks } from '../../suites/checks/check.js';
import type { PlannedCall } from '../calls/client.js';
import { answeredCall } from '../calls/run-calls.js';
import { comparePolicies } from './compare-policies.js';

/** How the calls were made whose webhooks are asked further questions. */
export interface CheckSurroundings {
  readonly state: ClusterState;
  readonly callWebhook: CallWebhook;
  /** The effects of one call; each time the same ids, time and chance. */
  readonly effects: (callWebhook: CallWebhook) => Effects;
}

/** The reports with what the named checks found about each call. */
export async function checkCalls(
  names: readonly CheckName[],
  made: { readonly calls: readonly PlannedCall[]; readonly reports: readonly CallReport[] },
  { state, callWebhook, effects }: CheckSurroundings,
): Promise<CallReport[]> {
  const checked: CallReport[] = [];
  for (const [i, callReport] of made.reports.entries()) {
    const call = made.calls[i]?.call;
    if (call === undefined) throw new Error('a report without its call');
    const { report, exchanges } = callReport;
    const again = (other: typeof call, inState: ClusterState) => answeredCall(other, inState, effects(callWebhook));
    const { findings, notes } = await runChecks(names, { call, state, report, exchanges, again, send: callWebhook });
    checked.push({ ...callReport, findings, report: { ...report, notes: [...report.notes, ...notes] } });
  }
  return checked;
}

/** The reports with where policies in place of the webhooks differ. */
export async function compareCalls(
  objects: readonly ValueMap[],
  made: { readonly calls: readonly PlannedCall[]; readonly reports: readonly CallReport[] },
  { state, callWebhook, effects }: CheckSurroundings,
): Promise<CallReport[]> {
  const compared: CallReport[] = [];
  for (const [i, callReport] of made.reports.entries()) {
    const call = made.calls[i]?.call;
    if (call === undefined) throw new Error('a report without its call');
    const again = (other: typeof call, inState: ClusterState) => answeredCall(other, inState, effects(callWebhook));
    const findings = await comparePolicies({ call, state, report: callReport.report, again }, objects);
    compared.push({ ...callReport, findings: [...callReport.findings, ...findings] });
  }
  return compared;
}
