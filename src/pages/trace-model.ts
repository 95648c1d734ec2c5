import type { WebhookReport } from '../apiserver/admission/webhook-report.js';
import type { AnyCallStep, StepKind } from '../kubernetes/call-steps.js';

/** Content of a trace page: the JSON in it. Long texts are in `texts`, once each, and named by their index. */
export interface TraceData {
  /** `webhook-cli review: 3 allowed, 1 refused` */
  readonly title: string;
  readonly toolVersion: string;
  readonly entries: readonly TraceEntry[];
  readonly texts: readonly string[];
  /** Nothing was sent to webhooks: the page is about which of them would be called. */
  readonly sendsNothing?: boolean | undefined;
  /** What to do while there are no entries. */
  readonly whenEmpty?: string | undefined;
}

export type TraceOutcome = 'allowed' | 'refused' | 'passed' | 'failed' | 'broken' | 'skipped';

/** A line of the list: a call, or a case with its calls. */
export interface TraceEntry {
  readonly name: string;
  /** The suite of a case. */
  readonly group?: string | undefined;
  readonly outcome: TraceOutcome;
  /** Id of its element in the report that contains the time lines. */
  readonly anchor?: string | undefined;
  /** More facts in one line: the position of the case, its attempts. */
  readonly facts: string;
  readonly failures: readonly TraceFailure[];
  readonly notes: readonly string[];
  readonly calls: readonly TraceCall[];
  /** What can be edited of its call; only where it can be sent again. */
  readonly edit?: TraceEdit | undefined;
  /** Number of the entry that was edited and made again. */
  readonly editOf?: number | undefined;
}

/** What can be edited of a call. */
export interface TraceEdit {
  readonly operation: string;
  /** The manifest, as JSON. */
  readonly object: string;
  /** Undefined for other operations than patch. */
  readonly patch: string | undefined;
  /** Empty: the administrator of kubeconfig files. */
  readonly user: string;
  readonly groups: readonly string[];
}

export interface TraceFailure {
  readonly check: string;
  readonly message: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  readonly diff?: string | undefined;
}

/** Index of a text in `TraceData.texts`. */
export type TextIndex = number;

export interface TraceCall {
  readonly method: string;
  readonly path: string;
  readonly user: string;
  readonly version: string;
  readonly allowed: boolean;
  readonly code: number;
  readonly kubectl: TextIndex;
  readonly answer: TextIndex;
  readonly contentType: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
  readonly findings: readonly string[];
  readonly durationMs?: number | undefined;
  readonly steps: readonly TraceStep[];
  readonly webhooks: readonly TraceWebhook[];
  readonly policies: readonly TracePolicy[];
}

export type TraceStep = Omit<AnyCallStep, 'kind' | 'error' | 'before' | 'after'> & {
  /** `skipped`: a webhook that was not called, where webhooks were selected. */
  readonly kind: StepKind | 'skipped';
  /** Of a conversion. */
  readonly exchange?: TraceExchange | undefined;
  readonly error?: TextIndex | undefined;
  readonly before?: TextIndex | undefined;
  /** The object after a webhook's patch, before the API server read it and set defaults. */
  readonly patched?: TextIndex | undefined;
  readonly after?: TextIndex | undefined;
};

/** One webhook of a call: why it was or was not called, and what was sent and answered. */
export interface TraceWebhook {
  readonly phase: string;
  readonly round: number;
  readonly configuration: string;
  readonly webhook: string;
  readonly outcome: WebhookReport['outcome'];
  readonly failurePolicy: WebhookReport['failurePolicy'];
  readonly durationMs?: number | undefined;
  /** Why it was skipped: the predicate that decided, and its detail. */
  readonly reason?: string | undefined;
  readonly skippedBy?: string | undefined;
  readonly message?: string | undefined;
  /** Why a call failed, and what to do about it. */
  readonly advice: readonly string[];
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly selection: readonly TracePredicate[];
  readonly exchange?: TraceExchange | undefined;
}

/** A predicate of the selection: what it requires, and the value in the call. */
export interface TracePredicate {
  readonly predicate: string;
  readonly wants: string;
  readonly saw: string;
  /** The webhook was skipped because of it. */
  readonly decided: boolean;
}

export interface TraceExchange {
  readonly url: string;
  readonly address: string;
  readonly serverName: string;
  readonly request: TextIndex;
  /** The curl command without the body. */
  readonly curl: string;
  /** Undefined without a response. */
  readonly statusCode?: number | undefined;
  readonly headers: readonly (readonly [string, string])[];
  /** The body, or the error. Undefined if the request was not sent. */
  readonly response?: TextIndex | undefined;
}

/** One policy with one binding and parameter. */
export interface TracePolicy {
  readonly phase: string;
  readonly policy: string;
  readonly binding: string;
  readonly outcome: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly expressions: readonly { readonly expression: string; readonly outcome: string; readonly message?: string | undefined }[];
}
