import type { Report } from '../../apiserver/report/report.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import type { CallWebhook, WebhookExchange } from '../../kubernetes/webhook-call.js';

/** A call that was made, and how to send its webhooks further reviews. */
export interface CheckedCall {
  readonly call: ApiCall;
  readonly state: ClusterState;
  readonly report: Report;
  /** In the order they were sent. */
  readonly exchanges: readonly WebhookExchange[];
  /** Makes a call in a cluster, with the same uids, time and randomness as the call itself. */
  readonly again: (call: ApiCall, state: ClusterState) => Promise<Report>;
  /** Sends one review. */
  readonly send: CallWebhook;
}

/** Result of a check. The message continues after the webhook's name. */
export interface CheckFinding {
  readonly check: string;
  readonly webhook: string;
  readonly message: string;
}

export interface CheckResult {
  readonly findings: readonly CheckFinding[];
  /** What was checked, and what cannot be checked from outside. */
  readonly notes: readonly string[];
}
