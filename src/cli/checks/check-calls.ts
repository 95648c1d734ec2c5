import type { CallReport } from '../../client/call-report.js';
import type { PlannedCall } from '../../client/calls/planned-call.js';
import { answeredCall } from '../../client/run-calls.js';
import type { ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import { type CheckName, runChecks } from '../../suites/checks/check.js';

import { comparePolicies } from './compare-policies.js';

/** Context of the calls whose webhooks are checked. */
export interface CheckSurroundings {
  readonly state: ClusterState;
  readonly callWebhook: CallWebhook;
  /** Side effects of one call, each time with the same uids, time and randomness. */
  readonly effects: (callWebhook: CallWebhook) => Effects;
}

/** Runs checks for each call and adds their findings to the reports. */
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
