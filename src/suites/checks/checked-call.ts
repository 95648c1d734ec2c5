import type { Report } from '../../apiserver/report.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import type { CallWebhook, WebhookAnswer, WebhookCall } from '../../kubernetes/webhook-call.js';

/** A call that was made, and the means to ask its webhooks further questions. */
export interface CheckedCall {
  readonly call: ApiCall;
  readonly state: ClusterState;
  readonly report: Report;
  /** In the order they were sent. */
  readonly exchanges: readonly { readonly call: WebhookCall; readonly answer: WebhookAnswer }[];
  /** Makes a call in a cluster, with the ids, the clock and the chance that the call itself had: only what is asked differs. */
  readonly again: (call: ApiCall, state: ClusterState) => Promise<Report>;
  /** Sends one review. */
  readonly send: CallWebhook;
}

/** What a further question brought to light. The message goes on where the webhook's name ends. */
export interface CheckFinding {
  readonly check: string;
  readonly webhook: string;
  readonly message: string;
}

export interface CheckResult {
  readonly findings: readonly CheckFinding[];
  /** What was asked, and what no question from outside can tell. */
  readonly notes: readonly string[];
}
