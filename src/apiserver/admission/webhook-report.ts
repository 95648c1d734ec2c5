import type { Value } from '../../go/value.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import type { Status } from '../../kubernetes/status.js';

import type { Exchange, FailureClass, Phase } from '../../kubernetes/webhook-call.js';

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
  /** Request and answer; undefined when nothing was sent. */
  readonly exchange?: Exchange | undefined;
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
  readonly predicate:
    | 'rules'
    | 'namespaceSelector'
    | 'objectSelector'
    | 'matchConditions'
    | 'exempt'
    | 'dryRun'
    | 'reinvocation'
    /** Of policies only. */
    | 'excludeResourceRules'
    | 'binding'
    | 'params';
  readonly detail: string;
  /** The match conditions that decided: false, or an error. */
  readonly conditions?: readonly DecidingCondition[] | undefined;
}

export interface DecidingCondition {
  /** Position in the webhook's list. */
  readonly index: number;
  /** The error of the evaluation; undefined when the condition is false. */
  readonly error: string | undefined;
}

/** Who has to change something. */
export type Fault = 'webhook' | 'configuration' | 'certificate' | 'network' | 'manifest';

export interface CallFailure {
  readonly class: FailureClass;
  readonly message: string;
  /** Whose mistake it is, most likely. */
  readonly fault: Fault;
  readonly why: string;
  readonly try: string;
}
