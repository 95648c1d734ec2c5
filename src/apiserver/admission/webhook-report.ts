import type { Value } from '../../go/value.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import type { Status } from '../../kubernetes/status.js';

import type { FailureClass, Phase, WebhookExchange } from '../../kubernetes/webhook-call.js';

export type WebhookOutcome = 'allowed' | 'denied' | 'skipped' | 'callFailed' | 'internalError';

export interface WebhookReport {
  readonly phase: Phase;
  /** 2 when the webhook is reinvoked, else 1. */
  readonly round: number;
  readonly configuration: string;
  readonly webhook: string;
  readonly attributes: ReportedAttributes;
  readonly outcome: WebhookOutcome;
  readonly skipReason: SkipReason | undefined;
  readonly sent: { readonly kind: GroupVersionKind; readonly resource: GroupVersionResource; readonly subResource: string } | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Operations of the patch, as sent by the webhook. */
  readonly patch: readonly Value[];
  /** For mutating webhooks whose patch was applied. */
  readonly change: ObjectChange | undefined;
  /** Fields that the patch sets and the object's type does not have: the API server drops them. `spec.foo`; absent without any. */
  readonly droppedFields?: readonly string[] | undefined;
  readonly status: Status | undefined;
  readonly failure: CallFailure | undefined;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly durationMs: number | undefined;
  /** Request body as sent; undefined when none was built. */
  readonly requestBody: string | undefined;
  /** The object is unknown in the version that the webhook gets, because no conversion webhook was called; so are the results of its match conditions. */
  readonly isObjectUnknown?: boolean | undefined;
  /** Request and answer; undefined when nothing was sent. */
  readonly exchange?: WebhookExchange | undefined;
}

/** An object as JSON: before a patch, as the patch leaves it, and as the API server reads that, with its defaults. */
export interface ObjectChange {
  readonly before: string;
  /** The patch's result; absent when the API server changes nothing of it. Members may have another order. */
  readonly patched?: string | undefined;
  readonly after: string;
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
    /** Only for policies. */
    | 'excludeResourceRules'
    | 'binding'
    | 'params';
  readonly detail: string;
  /** What the selector that does not match requires. */
  readonly wants?: string;
  /** Match conditions that decided: false ones, or one with an error. */
  readonly conditions?: readonly DecidingCondition[] | undefined;
}

export interface DecidingCondition {
  /** Position in the webhook's list. */
  readonly index: number;
  /** Evaluation error; undefined when the condition is false. */
  readonly error: string | undefined;
}

/** Party that has to change something. */
export type WebhookFault = 'webhook' | 'configuration' | 'certificate' | 'network' | 'manifest';

export interface CallFailure {
  readonly class: FailureClass;
  readonly message: string;
  /** Most likely party at fault. */
  readonly fault: WebhookFault;
  readonly why: string;
  readonly try: string;
}
