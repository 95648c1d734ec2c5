import type { ValueMap } from '../go/value.js';
import type { WebhookReport } from './admission/webhook-report.js';

/** What the client gets. */
export interface Answer {
  /** The HTTP status; 0 when the connection ends without an answer. */
  readonly status: number;
  /** Texts of the Warning headers, in order. */
  readonly warnings: readonly string[];
  /** Other headers that matter: `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Media type of the body; undefined without one. */
  readonly contentType?: string;
  /** The exact body. */
  readonly body: string;
  /** The bytes of a body that is not text. */
  readonly bytes?: Uint8Array | undefined;
}

/** Everything that is known about one call afterwards; what reports, snapshots and exit codes are made of. */
export interface Report {
  readonly kubernetesVersion: string;
  readonly call: { readonly method: string; readonly path: string; readonly user: { readonly username: string } };
  /** Every webhook considered, in order; one entry an invocation. */
  readonly webhooks: readonly WebhookReport[];
  readonly answer: Answer;
  readonly decision: Decision;
  /** What is not reproduced, and what was presumed. */
  readonly notes: readonly string[];
  /** Objects that the call writes beside its own when it is allowed: the usage of quotas. */
  readonly sideWrites?: readonly ValueMap[] | undefined;
}

export interface Decision {
  readonly allowed: boolean;
  readonly code: number;
  /** The metav1.Status of the answer, key for key; undefined with an object. */
  readonly status: ValueMap | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The object the client gets; undefined with a Status. */
  readonly object: ValueMap | undefined;
  /** Index of the entry in `webhooks` that refused the call; undefined when no webhook did. */
  readonly decidedBy?: number | undefined;
}
