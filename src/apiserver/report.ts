import type { GroupVersionKind, GroupVersionResource } from '../kubernetes/group-version.js';
import type { Status } from '../kubernetes/status.js';
import type { Value, ValueMap } from '../kubernetes/value.js';

/** What the client gets. */
export interface Answer {
  /** The HTTP status; 0 when the connection ends without an answer. */
  readonly status: number;
  /** Texts of the Warning headers, in order. */
  readonly warnings: readonly string[];
  /** Other headers that matter: `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact body. */
  readonly body: string;
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
}

export interface Decision {
  readonly allowed: boolean;
  readonly code: number;
  readonly status: Status | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The object the client gets; undefined with a Status. */
  readonly object: ValueMap | undefined;
}

export type Phase = 'mutating' | 'validating';

export type WebhookOutcome = 'allowed' | 'denied' | 'skipped' | 'callFailed' | 'internalError';

export interface WebhookReport {
  readonly phase: Phase;
  /** 1, or 2 when the webhook is called again. */
  readonly round: number;
  readonly configuration: string;
  readonly webhook: string;
  readonly attributes: ReportedAttributes;
  readonly outcome: WebhookOutcome;
  readonly skipReason: SkipReason | undefined;
  readonly sent: { readonly kind: GroupVersionKind; readonly resource: GroupVersionResource; readonly subResource: string } | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The patch's operations, as the webhook sent them. */
  readonly patch: readonly Value[];
  /** The object before and after the patch, as JSON; for mutating webhooks that changed it. */
  readonly change: { readonly before: string; readonly after: string } | undefined;
  readonly status: Status | undefined;
  readonly failure: CallFailure | undefined;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly durationMs: number | undefined;
  /** The request body as sent; undefined when none was built. */
  readonly requestBody: string | undefined;
}

export interface ReportedAttributes {
  readonly operation: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource: string;
  readonly name: string;
  readonly namespace: string;
  readonly dryRun: boolean;
}

export interface SkipReason {
  readonly predicate: 'rules' | 'namespaceSelector' | 'objectSelector' | 'matchConditions' | 'exempt' | 'dryRun' | 'reinvocation';
  readonly detail: string;
}

export interface CallFailure {
  readonly class: FailureClass;
  readonly message: string;
  readonly why: string;
  readonly try: string;
}

export type FailureClass = 'dns' | 'tcp' | 'tls' | 'http' | 'time' | 'body' | 'review' | 'patch' | 'limit';
