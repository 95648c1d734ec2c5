import type { ValueMap } from '../../go/value.js';
import type { CallSteps } from '../../kubernetes/call-steps.js';
import type { ClientActivity } from '../../kubernetes/client-activity.js';
import type { PolicyReport } from '../admission/policy-report.js';

import type { WebhookReport } from '../admission/webhook-report.js';

/** Answer to the client. */
export interface Answer {
  /** HTTP status; 0 when the connection ends without an answer. */
  readonly status: number;
  /** Texts of the Warning headers, in order. */
  readonly warnings: readonly string[];
  /** Other relevant headers: `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Media type of the body; undefined without one. */
  readonly contentType?: string;
  /** Exact body. */
  readonly body: string;
  /** Bytes of a body that is not text. */
  readonly bytes?: Uint8Array | undefined;
}

/** Record of one completed call; the source of reports, snapshots and exit codes. */
export interface Report {
  readonly kubernetesVersion: string;
  readonly call: { readonly method: string; readonly path: string; readonly user: { readonly username: string } };
  /** Every webhook considered, in order; one entry per invocation. */
  readonly webhooks: readonly WebhookReport[];
  /** Every admission policy considered, in order; one entry per binding and parameter. Absent without policies. */
  readonly policies?: readonly PolicyReport[];
  readonly answer: Answer;
  readonly decision: Decision;
  /** Behavior that is not reproduced, and assumptions. */
  readonly notes: readonly string[];
  /** Objects that the call writes besides its own when it is allowed: the usage of quotas. */
  readonly sideWrites?: readonly ValueMap[] | undefined;
  /** Measured steps of the call; absent when nobody asked for them. */
  readonly timing?: CallSteps | undefined;
  /** What the clients of webhooks did during the call; absent where their API server is not ours. */
  readonly clientActivity?: ClientActivity | undefined;
}

export interface Decision {
  readonly allowed: boolean;
  readonly code: number;
  /** The metav1.Status of the answer, key for key; undefined with an object. */
  readonly status: ValueMap | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Object in the answer; undefined with a Status. */
  readonly object: ValueMap | undefined;
  /** Index of the entry in `webhooks` that refused the call; undefined when no webhook did. */
  readonly decidedBy?: number | undefined;
}
