import type { Report } from '../../apiserver/report.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import type { CallWebhook, WebhookAnswer, WebhookCall } from '../../kubernetes/webhook-call.js';

/** A call that was made, and functions that make further calls for its checks. */
export interface CheckedCall {
  readonly call: ApiCall;
  readonly state: ClusterState;
  readonly report: Report;
  /** In the order in which they were sent. */
  readonly exchanges: readonly { readonly call: WebhookCall; readonly answer: WebhookAnswer }[];
  /** Makes a call with the ids, clock and randomness of the original call, so that only the given call and state differ. */
  readonly again: (call: ApiCall, state: ClusterState) => Promise<Report>;
  /** Sends one review. */
  readonly send: CallWebhook;
}

/** A finding of a check. The message continues a sentence that starts with the webhook's name. */
export interface CheckFinding {
  readonly check: string;
  readonly webhook: string;
  readonly message: string;
}

export interface CheckResult {
  readonly findings: readonly CheckFinding[];
  /** What was checked, and what cannot be checked. */
  readonly notes: readonly string[];
}
